import Synchronization

/// An event that happens once, and that one task waits for.
package final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// An event that has not happened yet.
  package init() {}

  /// Whether the event has happened.
  package var isRaised: Bool { state.withLock { $0.isRaised } }

  /// Reports that the event has happened.
  package func raise() {
    state.withLock { $0.isRaised = true }
    wake()
  }

  /// Waits for the event, but no longer than a limit. One task may wait at a time.
  package func wait(atMost limit: Duration) async {
    var timer: Task<Void, Never>?
    await withUnsafeContinuation { continuation in
      let isRaised = state.withLock { state in
        if !state.isRaised { state.waiter = continuation }
        return state.isRaised
      }
      if isRaised { return continuation.resume() }
      // Start the timer only after the task waits: a timer that fired earlier would wake nothing.
      timer = timeout(after: limit)
    }
    timer?.cancel()
  }

  private func timeout(after limit: Duration) -> Task<Void, Never> {
    Task.detached { [self] in
      if (try? await Task.sleep(for: limit)) != nil { wake() }
    }
  }

  private func wake() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
