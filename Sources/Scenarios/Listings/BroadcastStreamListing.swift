// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Broadcast/BroadcastStream.swift; renewed by 'make record'.

extension Listing {
  static let broadcastStreamListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Broadcast/BroadcastStream.swift", line: 122,
      code: #"""
      public actor AsyncBroadcastStream<Element: Sendable> {
        public typealias Stream = AsyncStream<Element>
        public typealias Continuation = Stream.Continuation

        private var continuations: [UUID: Continuation]
        private let probe = Probe(AsyncBroadcastStream.self)

        public init(continuations: [UUID: Continuation] = [:]) {
          self.continuations = continuations
        }

        deinit {
          for continuation in continuations.values {
            continuation.finish()
          }

          continuations.removeAll()
        }

        public func stream() -> AsyncStream<Element> {
          let uuid = UUID()
          return AsyncStream { continuation in
            continuations[uuid] = continuation

            continuation.onTermination = { [weak self] _ in
              Task(probe: "removal") { [weak self] in
                await self?.removeContinuation(for: uuid)
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
