internal import Synchronization

/// An event that happens once, and that one task waits for.
final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: UnsafeContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Whether the event has happened.
  var isRaised: Bool { state.withLock { $0.isRaised } }

  /// Tells that the event has happened.
  func raise() {
    state.withLock { $0.isRaised = true }
    wake()
  }

  /// Waits for the event, but no longer than a limit.
  func wait(atMost limit: Duration) async {
    let timer = Task.detached { [self] in
      if (try? await Task.sleep(for: limit)) != nil { wake() }
    }
    await withUnsafeContinuation { continuation in
      let isRaised = state.withLock { state in
        if !state.isRaised { state.waiter = continuation }
        return state.isRaised
      }
      if isRaised { continuation.resume() }
    }
    timer.cancel()
  }

  private func wake() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
