import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 19.
enum Wrong19: String, Mistakes {
  case none, asShipped, onlyFormat, onlyTask, unprobed, guardsInLoop, readsOne, unowned, exits
  case methodReference, constantName, noAuthor, traps, noCounter, strongListener, saysNothing
  case keepsRooms, neverLeaves, postsForbidden, cancelsInStop, countsOwn, unownedAndCancels
  case keepsPrevious, linesStay, countsWhileLooking, saysAfterLeaving, sleepsBetween, unownedFormat
  case weakTranscript, quitLeaves, guardsAndCancels

  nonisolated(unsafe) static var everything: [Room] = []

  static let all = solutions(
    of: ChatJudge<Chat>.exercise,
    [
      "The task must end when its room is left.": [
        .asShipped, .onlyFormat, .guardsInLoop, .unowned, .cancelsInStop,
      ],
      "A room that was left must not stay.": [
        .onlyTask, .methodReference, .strongListener, .keepsRooms, .neverLeaves, .keepsPrevious,
      ],
      "No task receiver was counted": [.unprobed],
      "Every message is shown with its room and its author.": [
        .readsOne, .constantName, .noAuthor, .linesStay,
      ],
      "Swift says: no format": [.traps],
      "Messages of others are counted while nobody is looking.": [
        .noCounter, .countsOwn, .countsWhileLooking,
      ],
      "What is said is sent, without forbidden words.": [
        .saysNothing, .postsForbidden, .saysAfterLeaving,
      ],
      "the reference is weak": [.unownedAndCancels],
      "Nothing in this exercise takes time": [.sleepsBetween],
    ], right: [.unownedFormat, .weakTranscript, .quitLeaves, .guardsAndCancels])

  struct Message: Equatable {
    let author: String
    let text: String
  }

  final class Transcript {
    private(set) var messages: [Message] = []
    private var listeners: [(Message) -> Void] = []
    private let probe = Probe(Transcript.self)

    func append(_ message: Message) {
      messages.append(message)
      for listener in listeners { listener(message) }
    }

    func listen(_ listener: @escaping (Message) -> Void) { listeners.append(listener) }
  }

  final class UnreadCounter {
    private(set) var count = 0
    var isLooking = false
    private let probe = Probe(UnreadCounter.self)

    func note(_ message: Message) {
      if !isLooking || now == .countsWhileLooking, message.author != "me" || now == .countsOwn {
        count += 1
      }
    }

    func reset() { count = 0 }
  }

  final class Receiver {
    private let line: Line
    private let room: String
    private var onText: ((String) -> Void)?
    private var reading: Task<Void, Never>?
    private let probe = Probe(Receiver.self)

    init(line: Line, room: String) { (self.line, self.room) = (line, room) }

    func start(_ onText: @escaping (String) -> Void) {
      self.onText = onText
      reading =
        switch now {
        case .asShipped, .onlyFormat:
          Task(probe: "receiver") { [weak self] in
            guard let self else { return }
            for await text in self.line.texts(in: self.room) { self.onText?(text) }
          }
        case .unprobed:
          Task { [weak self, texts = line.texts(in: room)] in
            for await text in texts { self?.onText?(text) }
          }
        case .unownedAndCancels:
          Task(probe: "receiver") { [unowned self, texts = line.texts(in: room)] in
            for await text in texts { self.onText?(text) }
          }
        case .sleepsBetween:
          Task(probe: "receiver") { [weak self, texts = line.texts(in: room)] in
            for await text in texts {
              try? await Task.sleep(for: .seconds(1))
              self?.onText?(text)
            }
          }
        case .guardsInLoop, .guardsAndCancels:
          Task(probe: "receiver") { [weak self, texts = line.texts(in: room)] in
            for await text in texts {
              guard let self else { return }
              self.onText?(text)
            }
          }
        case .readsOne:
          Task(probe: "receiver") { [weak self, texts = line.texts(in: room)] in
            for await text in texts {
              self?.onText?(text)
              break
            }
          }
        case .unowned:
          Task(probe: "receiver") { [unowned self, texts = line.texts(in: room)] in
            for await text in texts { self.onText?(text) }
            if self.onText == nil { return }
          }
        default:
          Task(probe: "receiver") { [weak self, texts = line.texts(in: room)] in
            for await text in texts { self?.onText?(text) }
          }
        }
    }

    func stop() {
      onText = nil
      if now == .exits { Sabotage.leave() }
      if now != .asShipped, now != .onlyFormat, now != .guardsInLoop, now != .unowned {
        reading?.cancel()
      }
    }

    deinit {
      switch now {
      case .guardsInLoop, .unowned, .cancelsInStop, .quitLeaves: break
      default: reading?.cancel()
      }
    }
  }

  final class Sender {
    private let line: Line
    private let room: String
    private let forbidden: Set<String>
    private let probe = Probe(Sender.self)

    init(line: Line, room: String, forbidden: Set<String> = ["darn"]) {
      (self.line, self.room, self.forbidden) = (line, room, forbidden)
    }

    func send(_ text: String) -> String {
      let words = text.split(separator: " ").map { forbidden.contains(String($0)) ? "…" : $0 }
      let clean = words.joined(separator: " ")
      line.post(now == .postsForbidden ? text : clean, to: room)
      return clean
    }
  }

  final class Room {
    let name: String
    private let transcript = Transcript()
    private let counter = UnreadCounter()
    private let receiver: Receiver
    private let sender: Sender
    private var shown: [String] = []
    private let probe = Probe(Room.self)

    private lazy var format: (Message) -> String = makeFormat()

    private func makeFormat() -> (Message) -> String {
      switch now {
      case .asShipped, .onlyTask: { "[\(self.name)] \($0.author): \($0.text)" }
      case .methodReference: describe
      case .unownedFormat: { [unowned self] in "[\(self.name)] \($0.author): \($0.text)" }
      case .constantName: { "[room] \($0.author): \($0.text)" }
      case .noAuthor: { [name] in "[\(name)] \($0.text)" }
      case .traps: { [weak self] _ in fatalError("no format in \(self?.name ?? "")") }
      default: { [name] in "[\(name)] \($0.author): \($0.text)" }
      }
    }

    private func describe(_ message: Message) -> String {
      "[\(name)] \(message.author): \(message.text)"
    }

    init(_ name: String, line: Line) {
      self.name = name
      receiver = Receiver(line: line, room: name)
      sender = Sender(line: line, room: name)
    }

    var lines: [String] { shown }
    var unread: Int { counter.count }

    func enter() {
      if now != .noCounter { transcript.listen { [counter] in counter.note($0) } }
      transcript.listen(
        now == .strongListener ? { self.show($0) } : { [weak self] in self?.show($0) })
      if now == .weakTranscript {
        return receiver.start { [weak transcript] text in
          transcript?.append(Message(author: "they", text: text))
        }
      }
      receiver.start { [transcript] text in transcript.append(Message(author: "they", text: text)) }
    }

    func leave() { receiver.stop() }

    func say(_ text: String) {
      if now == .saysNothing { return }
      transcript.append(Message(author: "me", text: sender.send(text)))
    }

    func look(_ isLooking: Bool) {
      counter.isLooking = isLooking
      if isLooking { counter.reset() }
    }

    private func show(_ message: Message) { shown.append(format(message)) }
  }

  final class Chat: ChatUnderStudy {
    private let line: Line
    private var room: Room?
    private var previous: Room?
    private var lastLines: [String] = []
    private var lastName = ""
    private let probe = Probe(Chat.self)

    init(line: Line) { self.line = line }

    var lines: [String] { room?.lines ?? lastLines }
    var unread: Int { room?.unread ?? 0 }

    func enter(_ name: String) {
      let left = room
      leave()
      lastName = name
      if now == .keepsPrevious { previous = left }
      let room = Room(name, line: line)
      room.enter()
      self.room = room
    }

    func leave() {
      room?.leave()
      previous = nil
      if now == .linesStay { lastLines = room?.lines ?? lastLines }
      if now == .keepsRooms, let room { everything.append(room) }
      if now != .neverLeaves { room = nil }
    }

    func say(_ text: String) {
      if now == .saysAfterLeaving, room == nil { line.post(text, to: lastName) }
      room?.say(text)
    }

    func look(_ isLooking: Bool) { room?.look(isLooking) }

    deinit { if now == .quitLeaves { leave() } }
  }
}
