// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/InnerWeakOuterStrong.swift; renewed by 'make record'.

extension Listing {
  static let innerWeakOuterStrongListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/InnerWeakOuterStrong.swift", line: 86,
      code: #"""
      final class Editor {
        var onSave: (() -> Void)?
        private let probe = Probe(Editor.self)

        func saveWeaklyInside(on work: WorkList) {
          onSave = {
            work.add { [weak self] in self?.refresh() }
          }
        }

        func saveWeaklyOutside(on work: WorkList) {
          onSave = { [weak self] in
            work.add { [weak self] in self?.refresh() }
          }
        }

        private func refresh() { Ledger.current?.note("refreshed") }
      }
      """#),
  ]
}
