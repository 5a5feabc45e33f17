// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Broadcast/BroadcastDropped.swift; renewed by 'make record'.

extension Listing {
  static let broadcastDroppedListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Broadcast/BroadcastDropped.swift", line: 107,
      code: #"""
      public actor AsyncBroadcastStream<Element: Sendable> {
        public typealias Stream = AsyncStream<Element>
        public typealias Continuation = Stream.Continuation

        private var continuations: [UUID: Continuation]
        private let probe = Probe(AsyncBroadcastStream.self)

        public init() {
          self.continuations = [:]
        }

        public func stream() -> AsyncStream<Element> {
          let id = UUID()
          return AsyncStream { continuation in
            continuations[id] = continuation

            continuation.onTermination = { [weak self] _ in
              Task(probe: "removal") { [weak self] in
                await self?.removeContinuation(id)
              }
            }
          }
        }

        public func yield(_ value: Element) {
          for c in continuations.values {
            c.yield(value)
          }
        }

        public func finish() {
          for c in continuations.values {
            c.finish()
          }
          continuations.removeAll()
        }

        private func removeContinuation(_ id: UUID) {
          continuations[id] = nil
        }
      }
      """#),
  ]
}
