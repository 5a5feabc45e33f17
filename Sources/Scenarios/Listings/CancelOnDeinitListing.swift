// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/CancelOnDeinit.swift; renewed by 'make record'.

extension Listing {
  static let cancelOnDeinitListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/CancelOnDeinit.swift", line: 80,
      code: #"""
      final class List {
        private var task: Task<Void, Never>?
        private let probe = Probe(List.self)

        func observe(_ changes: AsyncStream<Int>) {
          task = Task(probe: "observe") {
            for await _ in changes { reload() }
          }
        }

        func disappear() { task?.cancel() }

        private func reload() { Ledger.current?.note("reloaded") }

        deinit { task?.cancel() }
      }
      """#),
    Listing(
      "weak", path: "Sources/Scenarios/PublicReports/CancelOnDeinit.swift", line: 105,
      code: #"""
      func observe(_ changes: AsyncStream<Int>) {
        task = Task(probe: "observe") { [weak self] in
          for await _ in changes { self?.reload() }
        }
      }
      """#),
  ]
}
