import AsyncAlgorithms
import Dispatch

/// Fetches one page after the other, and does not know who reads them.
struct Pages {
  /// All pages.
  func all() -> AsyncChannel<Int> {
    let channel = AsyncChannel<Int>()
    Task(name: "pages") {
      for page in 1...3 { await channel.send(page) }
      channel.finish()
    }
    return channel
  }
}

/// Waits for an answer that does not come.
final class Mailbox: @unchecked Sendable {
  private var waiter: UnsafeContinuation<Int, Never>?

  /// The answer, or nil when the time is up; so it is meant.
  func answer(within limit: Duration) async -> Int? {
    await withTaskGroup(of: Int?.self) { group in
      group.addTask(name: "answer") { await withUnsafeContinuation { self.waiter = $0 } }
      group.addTask(name: "limit") {
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}

/// Shows what a process writes.
final class Terminal {
  private let reader = Reader()
  private var text = ""

  /// Has the reader call a method of this terminal.
  func start() { reader.handler = show }

  private func show(_ output: String) { text += output }
}

/// Reads what a process writes.
final class Reader {
  /// Is called with everything that is read.
  var handler: ((String) -> Void)?
}

/// Disconnects later, unless it is used again.
final class Socket {
  private var disconnection: DispatchWorkItem?
  private var isConnected = true

  /// Prepares to disconnect, and is used again before the time has come.
  func scheduleDisconnection() { disconnection = DispatchWorkItem { self.isConnected = false } }
}
