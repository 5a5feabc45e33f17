import Synchronization

/// Lets one after another do something, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits for the turn, and takes it.
  func begin() async {
    await withUnsafeContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives the turn to the next.
  func end() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil as UnsafeContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
