package import MemlabKit
import Synchronization

/// What the judge needs of a chat.
package protocol ChatUnderStudy: AnyObject {
  /// A chat at the end of this line, in no room.
  init(line: Line)
  /// What is shown of the room, line by line.
  var lines: [String] { get }
  /// How many messages nobody has looked at.
  var unread: Int { get }
  /// Leaves the room and enters another.
  func enter(_ name: String)
  /// Leaves the room.
  func leave()
  /// Says something in the room.
  func say(_ text: String)
  /// Looks at the room, or away from it.
  func look(_ isLooking: Bool)
}

/// Carries what is said. It lives as long as the app.
package final class Line: Sendable {
  private let rooms = Mutex<[String: AsyncStream<String>.Continuation]>([:])
  private let posts = Seen<String>()

  /// What the others say in a room from now on. One task at a time may read a room.
  package func texts(in room: String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    rooms.withLock { $0[room] = continuation }
    return stream
  }

  /// Sends what is said here.
  package func post(_ text: String, to room: String) { posts.add("\(room): \(text)") }

  /// What was said here, in order, with the names of the rooms.
  var posted: [String] { posts.all }

  /// Plays the others.
  func say(_ text: String, in room: String) { _ = rooms.withLock { $0[room] }?.yield(text) }

  /// Closes a room.
  func close(_ room: String) { rooms.withLock { $0[room] }?.finish() }
}

/// Exercise 19: a chat, and the others at the line.
package final class ChatJudge<Chat: ChatUnderStudy>: JudgeStage, Judge {
  private let line = Line()
  private var chat: Chat?
  private var room = ""
  private var (linesRight, isUnreadRight): (Int, Bool) = (0, true)
  private var (roomsLeft, tasksLeft) = (0, 0)
  private var expectedPosts: [String] = []

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("silent", talks: 0) { [$0.enter, $0.leave] }
    ending("talk") { [$0.enter, $0.talk, $0.leave] }
    ending("closed") { [$0.enter, $0.talk, $0.closeRoom, $0.leave] }
    // Who only cancels in stop() leaves the task of a room that nobody has left.
    ending("quit") { [$0.enter, $0.talk, $0.quit] }
    // The task has the text before it learns that it is cancelled.
    ending("moment") { [$0.enter, $0.talk, $0.leaveWhileOthersSpeak] }
    ending("move", rooms: 2, talks: 2) { [$0.enter, $0.talk, $0.enter, $0.talk, $0.leave] }
  }

  private static func ending(
    _ name: String, rooms: Int = 1, talks: Int = 1, steps: @escaping Steps<ChatJudge>
  ) -> Ending {
    Ending(
      name,
      [
        "Chat": 1, "Room": rooms, "Transcript": rooms, "UnreadCounter": rooms, "Receiver": rooms,
        "Sender": rooms,
      ], tasks: ["receiver": rooms],
      figures: [
        "linesRight": talks * 7, "unreadRight": 1, "postedRight": talks * 3, "roomsLeft": 0,
        "tasksLeft": 0,
      ], on: ChatJudge.init
    ) { [$0.open] + steps($0) + [$0.close] }
  }

  private func open() throws {
    AppWide.keep(line, for: lab.ledger)
    try lab.step("a chat is opened") { chat = Chat(line: line) }
  }

  private func enter() throws {
    room = Secret.word()
    try lab.step("a room is entered") { chat?.enter(room) }
    countLeft(entered: 1)
  }

  private func talk() throws {
    let words = Secret.words(7)
    try lab.step("the others say two things") {
      for word in words.prefix(2) { line.say(word, in: room) }
    }
    isUnreadRight = isUnreadRight && chat?.unread == 2
    try lab.step("somebody looks, and says two things") {
      chat?.look(true)
      chat?.say("\(words[2]) darn \(words[2])")
      chat?.say(words[3])
    }
    try lab.step("the others say something to who is looking") { line.say(words[4], in: room) }
    isUnreadRight = isUnreadRight && chat?.unread == 0
    try lab.step("the others say one thing more, and nobody is looking") {
      chat?.look(false)
      line.say(words[5], in: room)
    }
    try lab.step("somebody answers without looking") { chat?.say(words[6]) }
    isUnreadRight = isUnreadRight && chat?.unread == 1
    let mine = ["\(words[2]) … \(words[2])", words[3], words[6]]
    expectedPosts += mine.map { "\(room): \($0)" }
    let texts: [String] =
      words.prefix(2).map { "they: \($0)" } + mine.prefix(2).map { "me: \($0)" }
      + ["they: \(words[4])", "they: \(words[5])", "me: \(words[6])"]
    linesRight += (chat?.lines ?? []).right(of: texts.map { "[\(room)] \($0)" })
  }

  private func quit() throws {
    try lab.release("the chat is closed") { chat = nil }
    countLeft(entered: 0)
  }

  private func closeRoom() throws { try lab.step("the room is closed") { line.close(room) } }

  private func leave() throws { try leave(hearing: false) }

  private func leaveWhileOthersSpeak() throws { try leave(hearing: true) }

  private func leave(hearing isHearing: Bool) throws {
    let text = "the room is left"
    try lab.release(isHearing ? "the others say something, and \(text) at once" : text) {
      if isHearing { line.say(Secret.word(), in: room) }
      chat?.leave()
    }
    countLeft(entered: 0)
    try lab.step("somebody speaks where no room is") { chat?.say(Secret.word()) }
    linesRight -= chat?.lines.count ?? 0
    isUnreadRight = isUnreadRight && chat?.unread == 0
  }

  private func countLeft(entered: Int) {
    roomsLeft += max(0, lab.ledger.totals.object("Room").alive - entered)
    tasksLeft += max(0, lab.ledger.totals.liveTasks - entered)
  }

  private func close() throws {
    let posted = line.posted
    lab.ledger.setMetrics([
      "roomsLeft": roomsLeft, "tasksLeft": tasksLeft, "linesRight": linesRight,
      "unreadRight": isUnreadRight ? 1 : 0, "postedRight": posted.right(of: expectedPosts),
    ])
    try lab.release("the chat is closed") { chat = nil }
  }
}
