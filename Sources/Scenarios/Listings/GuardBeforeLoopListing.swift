// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/GuardBeforeLoop.swift; renewed by 'make record'.

extension Listing {
  static let guardBeforeLoopListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/GuardBeforeLoop.swift", line: 46,
      code: #"""
      final class Screen {
        private let probe = Probe(Screen.self)

        func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never> {
          Task(probe: "watch") { [weak self] in
            guard let self else { return }
            for await price in prices { self.show(price) }
          }
        }

        private func show(_ price: Int) { Ledger.current?.note("shown") }
      }
      """#),
  ]
}
