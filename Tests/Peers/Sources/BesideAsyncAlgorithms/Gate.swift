/// A gate that tasks wait at until it is opened.
struct Gate: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  /// A closed gate.
  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Returns once the gate is open.
  func opened() async { for await _ in stream {} }

  /// Opens the gate: all waiting and all later calls return.
  func open() { continuation.finish() }
}
