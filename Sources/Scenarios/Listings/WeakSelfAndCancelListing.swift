// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/WeakSelfAndCancel.swift; renewed by 'make record'.

extension Listing {
  static let weakSelfAndCancelListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/WeakSelfAndCancel.swift", line: 40,
      code: #"""
      final class Screen {
        private var task: Task<Void, Never>?
        private let probe = Probe(Screen.self)

        func watch(_ prices: AsyncStream<Int>) -> Task<Void, Never> {
          let task = Task(probe: "watch") { [weak self] in
            for await price in prices { self?.show(price) }
          }
          self.task = task
          return task
        }

        private func show(_ price: Int) { Ledger.current?.note("shown") }

        deinit { task?.cancel() }
      }
      """#),
  ]
}
