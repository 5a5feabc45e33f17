// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/AbandonedContinuation.swift; renewed by 'make record'.

extension Listing {
  static let abandonedContinuationListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/AbandonedContinuation.swift", line: 103,
      code: #"""
      final class Picture {
        private var image: Int?
        private let probe = Probe(Picture.self)

        func load(_ download: @escaping () async -> Int?) -> Task<Void, Never> {
          Task(probe: "load") { image = await download() }
        }
      }
      """#),
  ]
}
