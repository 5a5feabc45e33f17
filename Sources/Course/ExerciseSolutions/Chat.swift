import MemlabExercises
import MemlabKit

// MARK: - What is said

/// One line of a room.
struct Message: Equatable {
  /// Who has said it: a name, or "me".
  let author: String
  /// What was said.
  let text: String
}

/// Everything that was said in a room.
final class Transcript {
  private(set) var messages: [Message] = []
  private var listeners: [(Message) -> Void] = []
  private let probe = Probe(Transcript.self)

  /// Adds a message and tells the listeners.
  func append(_ message: Message) {
    messages.append(message)
    for listener in listeners { listener(message) }
  }

  /// Calls a closure with each new message, as long as the transcript lives.
  func listen(_ listener: @escaping (Message) -> Void) { listeners.append(listener) }
}

/// Counts messages that nobody has looked at.
final class UnreadCounter {
  /// How many there are.
  private(set) var count = 0
  /// Whether somebody is looking.
  var isLooking = false
  private let probe = Probe(UnreadCounter.self)

  /// Counts a message, unless somebody is looking.
  func note(_ message: Message) {
    if !isLooking, message.author != "me" { count += 1 }
  }

  /// Somebody has looked at everything.
  func reset() { count = 0 }
}

// MARK: - The line

/// Reads what the others say in a room and passes it on.
final class Receiver {
  private let line: Line
  private let room: String
  private var onText: ((String) -> Void)?
  private var reading: Task<Void, Never>?
  private let probe = Probe(Receiver.self)

  /// A receiver that reads nothing yet.
  init(line: Line, room: String) {
    self.line = line
    self.room = room
  }

  /// Begins to read.
  func start(_ onText: @escaping (String) -> Void) {
    self.onText = onText
    reading = Task(probe: "receiver") { [weak self, texts = line.texts(in: room)] in
      for await text in texts {
        self?.onText?(text)
      }
    }
  }

  /// Stops reading.
  func stop() {
    onText = nil
    reading?.cancel()
  }

  deinit { reading?.cancel() }
}

/// Sends what is said here, after the words that nobody may say were replaced.
final class Sender {
  private let line: Line
  private let room: String
  private let forbidden: Set<String>
  private let probe = Probe(Sender.self)

  /// A sender to this room.
  init(line: Line, room: String, forbidden: Set<String> = ["darn"]) {
    self.line = line
    self.room = room
    self.forbidden = forbidden
  }

  /// Sends a text.
  ///
  /// - Returns: what was sent in fact.
  func send(_ text: String) -> String {
    let words = text.split(separator: " ").map { forbidden.contains(String($0)) ? "…" : $0 }
    let clean = words.joined(separator: " ")
    line.post(clean, to: room)
    return clean
  }
}

// MARK: - Rooms

/// A room that one has entered.
final class Room {
  /// Its name.
  let name: String
  private let transcript = Transcript()
  private let counter = UnreadCounter()
  private let receiver: Receiver
  private let sender: Sender
  private var shown: [String] = []
  private let probe = Probe(Room.self)

  /// How a message is shown.
  private lazy var format: (Message) -> String = { [name] message in
    "[\(name)] \(message.author): \(message.text)"
  }

  /// A room at the end of this line.
  init(_ name: String, line: Line) {
    self.name = name
    receiver = Receiver(line: line, room: name)
    sender = Sender(line: line, room: name)
  }

  /// What is shown, line by line.
  var lines: [String] { shown }
  /// How many messages nobody has looked at.
  var unread: Int { counter.count }

  /// Begins to listen.
  func enter() {
    transcript.listen { [counter] in counter.note($0) }
    transcript.listen { [weak self] in self?.show($0) }
    receiver.start { [transcript] text in
      transcript.append(Message(author: "they", text: text))
    }
  }

  /// Stops listening.
  func leave() { receiver.stop() }

  /// Says something.
  func say(_ text: String) {
    transcript.append(Message(author: "me", text: sender.send(text)))
  }

  /// Looks at the room, or away from it.
  func look(_ isLooking: Bool) {
    counter.isLooking = isLooking
    if isLooking { counter.reset() }
  }

  private func show(_ message: Message) { shown.append(format(message)) }
}

// MARK: - The chat

/// The chat: one room at a time.
final class Chat: ChatUnderStudy {
  private let line: Line
  private var room: Room?
  private let probe = Probe(Chat.self)

  /// A chat at the end of this line, in no room.
  init(line: Line) { self.line = line }

  /// What is shown of the room, line by line.
  var lines: [String] { room?.lines ?? [] }
  /// How many messages nobody has looked at.
  var unread: Int { room?.unread ?? 0 }

  /// Leaves the room and enters another.
  func enter(_ name: String) {
    leave()
    let room = Room(name, line: line)
    room.enter()
    self.room = room
  }

  /// Leaves the room.
  func leave() {
    room?.leave()
    room = nil
  }

  /// Says something in the room.
  func say(_ text: String) { room?.say(text) }

  /// Looks at the room, or away from it.
  func look(_ isLooking: Bool) { room?.look(isLooking) }
}
