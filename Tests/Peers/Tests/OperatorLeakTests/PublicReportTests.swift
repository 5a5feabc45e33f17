import AsyncAlgorithms
import Dispatch
import LeakCheck
import Testing

@Suite("Leaks that people reported, rebuilt: each fails, with who holds it")
struct PublicReportTests {
  // https://github.com/apple/swift-async-algorithms/issues/304
  @Test("the pages of a server, of which only the first is read") func pages() async {
    await knownLeak(
      "the producer waits for a receiver that has gone",
      naming: ["task \"pages\" has not finished\nsuspended in "]
    ) {
      await expectNoLeaks { for await page in Pages().all() where page == 1 { break } }
    }
  }

  // https://github.com/pnikolaidis/icemelt/issues/41
  @Test("a timeout around a continuation that cancelling does not resume") func timeout() async {
    await knownLeak(
      "the group waits for the child that has lost",
      naming: ["waits for task \"answer\", suspended in ", " → Mailbox"]
    ) {
      await expectNoLeaks {
        let mailbox = watch(Mailbox())
        Task(name: "request") { await mailbox.answer(within: .milliseconds(5)) }
      }
    }
  }

  // https://github.com/migueldeicaza/SwiftTerm/pull/551
  @Test("a method that is handed over as a handler") func methodReference() async {
    await knownLeak(
      "a method reference captures its owner", naming: ["handler → ", "captured → Terminal"]
    ) { await expectNoLeaks { watch(Terminal()).start() } }
  }

  // https://github.com/pusher/NWWebSocket/pull/38
  @Test("a work item of the object that it works for") func workItem() async {
    await knownLeak(
      "the work item holds its block, and the block the socket", naming: ["Socket is still alive"]
    ) { await expectNoLeaks { watch(Socket()).scheduleDisconnection() } }
  }
}

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
