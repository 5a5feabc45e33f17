// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/BlockedNotLeaked.swift; renewed by 'make record'.

extension Listing {
  static let blockedNotLeakedListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/BlockedNotLeaked.swift", line: 69,
      code: #"""
      final class Reader {
        private let ended: Semaphore
        private let probe = Probe(Reader.self)

        init(_ ended: Semaphore) { self.ended = ended }

        func readAndWait() async {
          let stream = makeStream()
          for await _ in stream { break }
          await ended.wait()
          withExtendedLifetime(stream) {}  // The optimiser may end its life earlier.
        }

        func readThenWait() async {
          await read(makeStream())
          await ended.wait()
        }

        private func read(_ stream: AsyncStream<Int>) async {
          for await _ in stream { break }
        }

        private func makeStream() -> AsyncStream<Int> {
          AsyncStream { [ended] continuation in
            continuation.onTermination = { _ in ended.signal() }
            continuation.yield(0)
          }
        }
      }
      """#),
  ]
}
