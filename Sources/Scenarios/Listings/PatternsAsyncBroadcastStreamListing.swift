// swift-format-ignore-file
// Copies of what is marked in Sources/Patterns/Broadcast/AsyncBroadcastStream.swift; renewed by 'make record'.

extension Listing {
  static let patternsAsyncBroadcastStreamListing: [Listing] = [
    Listing(
      "code", path: "Sources/Patterns/Broadcast/AsyncBroadcastStream.swift", line: 24,
      code: #"""
      public actor AsyncBroadcastStream<Element: Sendable> {
        private typealias Subscription = (id: Int, continuation: AsyncStream<Element>.Continuation)

        private var subscriptions: [Subscription] = []
        private var nextID = 0
        private var isFinished = false

        /// A broadcaster without consumers.
        public init() {}

        // A continuation that is merely released does not end its stream: without this, every consumer
        // would wait for ever.
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
      """#),
  ]
}
