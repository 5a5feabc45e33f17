// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/WeakSelfLoop.swift; renewed by 'make record'.

extension Listing {
  static let weakSelfLoopListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/WeakSelfLoop.swift", line: 54,
      code: #"""
      final class Poller {
        private let probe = Probe(Poller.self)

        func start(_ ticks: AsyncStream<Void>) {
          Task(probe: "loop") { [weak self] in
            for await _ in ticks {
              guard let self else { return }
              self.poll()
            }
          }
        }

        private func poll() { Ledger.current?.note("polled") }
      }
      """#),
  ]
}
