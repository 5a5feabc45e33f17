// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Broadcast/BroadcastStrongTermination.swift; renewed by 'make record'.

extension Listing {
  static let broadcastStrongTerminationListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Broadcast/BroadcastStrongTermination.swift", line: 53,
      code: #"""
      public actor AsyncBroadcastStream<Element: Sendable> {
        public typealias Stream = AsyncStream<Element>
        public typealias Continuation = Stream.Continuation

        private var continuations: [UUID: Continuation] = [:]
        private let probe = Probe(AsyncBroadcastStream.self)

        deinit {
          for continuation in continuations.values {
            continuation.finish()
          }
        }

        public func stream() -> AsyncStream<Element> {
          let uuid = UUID()
          return AsyncStream { continuation in
            continuations[uuid] = continuation

            continuation.onTermination = { _ in
              Task(probe: "removal") {
                await self.removeContinuation(for: uuid)
              }
            }
          }
        }

        public func yield(_ value: Element) {
          for continuation in continuations.values {
            continuation.yield(value)
          }
        }

        public func finish() {
          for continuation in continuations.values {
            continuation.finish()
          }

          continuations.removeAll()
        }

        private func removeContinuation(for uuid: UUID) {
          continuations[uuid] = nil
        }
      }
      """#),
  ]
}
