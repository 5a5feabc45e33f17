/// One source and many consumers: every call of ``stream(bufferingPolicy:)`` returns a new stream,
/// and every value is sent to all of them.
///
/// An `AsyncStream` splits its values among the tasks that iterate it. This actor keeps one
/// continuation for each consumer instead. After “AsyncStream を複数購読したいときの解決策” by tattsun, with four
/// changes:
///
/// - A subscription is identified by a number and not by a `UUID`. The actor counts up, so the
///   numbers are unique where it matters, and the file imports nothing.
/// - Subscriptions are kept in an array, in the order of subscribing. A dictionary would use
///   another order in each run.
/// - A consumer that subscribes after ``finish()`` gets a stream that has ended, and does not wait
///   forever.
/// - The caller chooses what happens to values that a slow consumer has not received yet.
///
/// A consumer should hold its stream and not the broadcaster. Otherwise `deinit`, which ends the
/// wait, never runs:
///
/// ```swift
/// Task { [weak broadcaster] in
///   guard let stream = await broadcaster?.stream() else { return }
///   for await value in stream { show(value) }
/// }
/// ```
// snippet:code
public actor AsyncBroadcastStream<Element: Sendable> {
  private typealias Subscription = (id: Int, continuation: AsyncStream<Element>.Continuation)

  private var subscriptions: [Subscription] = []
  private var nextID = 0
  private var isFinished = false

  /// A broadcaster without consumers.
  public init() {}

  // A continuation that is merely released does not end its stream: without this, every consumer
  // would wait forever.
  deinit {
    for subscription in subscriptions { subscription.continuation.finish() }
  }

  /// How many consumers there are.
  public var subscriberCount: Int { subscriptions.count }

  /// A new stream of the values from now on; earlier values are not repeated.
  ///
  /// - Parameter bufferingPolicy: what is kept of the values that have been yielded and not taken
  ///   yet; by default all of them, however many.
  public func stream(
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: bufferingPolicy)
    guard !isFinished else {
      continuation.finish()
      return stream
    }
    let id = nextID
    nextID += 1
    subscriptions.append((id, continuation))
    // Weak: the actor owns the continuation, and the continuation owns this closure.
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.remove(id) }
    }
    return stream
  }

  /// Sends a value to every consumer.
  public func yield(_ value: Element) {
    for subscription in subscriptions { subscription.continuation.yield(value) }
  }

  /// Ends every consumer's stream, and every stream that is asked for later.
  public func finish() {
    isFinished = true
    for subscription in subscriptions { subscription.continuation.finish() }
    subscriptions.removeAll()
  }

  private func remove(_ id: Int) {
    subscriptions.removeAll { $0.id == id }
  }
}
// snippet:end
