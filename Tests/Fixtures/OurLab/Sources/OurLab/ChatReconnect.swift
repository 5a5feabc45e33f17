import Memlab

/// No document, no lesson, and nothing declared: `check --record` has written what is expected.
let chatReconnect = Scenario(
  id: "chat-reconnect",
  title: "a chat that joins again when its line drops",
  endings: [
    Ending("leave", "the chat is dropped while its line is open") { lab in
      @Variable("chat") var chat: Chat?
      chat = try lab.awaiting("a chat is joined") { try await Chat.join("tea") }
      try lab.release("the chat is dropped") { chat = nil }
    },
    Ending("hang-up", "the line is closed, and then the chat is dropped") { lab in
      @Variable("chat") var chat: Chat?
      chat = try lab.awaiting("a chat is joined") { try await Chat.join("tea") }
      try lab.awaiting("the line is closed") { [chat] in await chat?.hangUp() }
      try lab.release("the chat is dropped") { chat = nil }
    },
  ])

// snippet:code
actor Chat {
  struct NoSuchRoom: Error {}

  private let probe = Probe(Chat.self)
  private var line: Line?
  private var joins = 0

  static func join(_ room: String) async throws -> Chat {
    guard !room.isEmpty else { throw NoSuchRoom() }
    let chat = Chat()
    await chat.connect()
    return chat
  }

  func connect() {
    joins += 1
    line = Line { Task(probe: "reconnect") { await self.connect() } }
  }

  func hangUp() { line = nil }
}

final class Line: Sendable {
  private let probe = Probe(Line.self)
  private let onDrop: @Sendable () -> Void

  init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

  func drop() { onDrop() }
}
// snippet:end
