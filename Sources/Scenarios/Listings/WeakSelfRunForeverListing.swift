// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/WeakSelfRunForever.swift; renewed by 'make record'.

extension Listing {
  static let weakSelfRunForeverListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/WeakSelfRunForever.swift", line: 41,
      code: #"""
      final class Screen {
        private let probe = Probe(Screen.self)

        func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never> {
          Task(probe: "watch") { [weak self] in
            await self?.run(prices)
          }
        }

        private func run(_ prices: AsyncStream<Int>) async {
          for await price in prices { show(price) }
        }

        private func show(_ price: Int) { Ledger.current?.note("shown") }
      }
      """#),
  ]
}
