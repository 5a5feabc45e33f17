/// A gate that a task waits at until somebody opens it.
struct Gate: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  /// A gate that is closed.
  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Returns once the gate is open.
  func opened() async {
    for await _ in stream {}
  }

  /// Lets everybody through, now and later.
  func open() {
    continuation.finish()
  }
}
