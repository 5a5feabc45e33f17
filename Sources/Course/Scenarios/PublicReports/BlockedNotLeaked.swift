import MemlabKit
import Synchronization

extension Scenario {
  /// `blocked-not-leaked`: a task that waits for what it holds.
  static let blockedNotLeaked = Scenario(
    id: "blocked-not-leaked", title: "a task that waits for what it holds",
    document: .semaphoreDeadlock, place: "its demo, rebuilt", lesson: "08-leaks-people-had",
    question: "The end of a stream should resume a task. The task takes one value from the "
      + "stream, leaves the loop, and waits. Is it ever resumed?",
    hint: "A stream that nobody finishes ends when it is released. Who holds it while the task "
      + "waits?",
    beliefs: [.task("The task waited for what it held itself.")],
    endings: [
      Ending(
        "signal", "the task waits; somebody else signals",
        expects: .one(.clean, ["Reader": nil], finished: ["read": 1], metrics: ["blocked": 1]),
        explanation: "The task waits for the end of a stream that it holds itself: it is blocked, "
          + "but it does not leak. Someone else signals, and everything is deinitialised.",
        run: signal
      )
      .claiming(
        "while the semaphore is waited for, the stream never ends and nobody signals",
        original:
          "But, when that semaphore is waited, the deallocation never happens, stream never "
          + "terminates, and so the semaphore never gets signalled."
      ) { $0.metric("blocked") == 1 },
      Ending(
        "scope", "the stream goes out of scope before the task waits",
        expects: .one(.clean, ["Reader": nil], finished: ["read": 1], metrics: ["blocked": 0]),
        explanation: "The stream is released at the end of its scope, ends, and signals. The wait "
          + "is over before it has begun.",
        run: scope),
    ])

  @Sendable private static func signal(_ lab: Lab) throws {
    let ended = BlockedNotLeaked.Semaphore()
    try lab.step("a reader takes a value and waits", until: lab.ledger.noted("blocked", 1)) {
      let reader = BlockedNotLeaked.Reader(ended)
      Task(probe: "read") { await reader.readAndWait() }
    }
    lab.ledger.setMetric("blocked", ended.waiting)
    try lab.release("somebody else signals") { ended.signal() }
  }

  @Sendable private static func scope(_ lab: Lab) throws {
    let ended = BlockedNotLeaked.Semaphore()
    try lab.step("a reader takes a value and waits") {
      let reader = BlockedNotLeaked.Reader(ended)
      Task(probe: "read") { await reader.readThenWait() }
    }
    lab.ledger.setMetric("blocked", ended.waiting)
  }
}

/// A wait for the end of a stream, inside and outside of the stream's scope.
enum BlockedNotLeaked {
  // snippet:code
  final class Reader {
    private let ended: Semaphore
    private let probe = Probe(Reader.self)

    init(_ ended: Semaphore) { self.ended = ended }

    func readAndWait() async {
      let stream = makeStream()
      for await _ in stream { break }
      await ended.wait()
      withExtendedLifetime(stream) {}  // The optimiser may end its life earlier.
    }

    func readThenWait() async {
      await read(makeStream())
      await ended.wait()
    }

    private func read(_ stream: AsyncStream<Int>) async {
      for await _ in stream { break }
    }

    private func makeStream() -> AsyncStream<Int> {
      AsyncStream { [ended] continuation in
        continuation.onTermination = { _ in ended.signal() }
        continuation.yield(0)
      }
    }
  }
  // snippet:end

  /// A semaphore that suspends tasks instead of blocking threads.
  final class Semaphore: Sendable {
    private struct State {
      var value = 0
      var waiting: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The number of waiting tasks.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Returns once there has been a signal for this call.
    func wait() async {
      await withUnsafeContinuation { continuation in
        let isBlocked = state.withLock { state in
          if state.value == 0 { state.waiting.append(continuation) } else { state.value -= 1 }
          return !state.waiting.isEmpty
        }
        if isBlocked { Ledger.current?.note("blocked") } else { continuation.resume() }
      }
    }

    /// Resumes one task: one that waits now, or the next one that waits.
    func signal() {
      let first = state.withLock { state in
        if state.waiting.isEmpty { state.value += 1 }
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      first?.resume()
    }
  }
}
