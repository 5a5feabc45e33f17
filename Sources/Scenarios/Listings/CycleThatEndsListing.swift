// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/CycleThatEnds.swift; renewed by 'make record'.

extension Listing {
  static let cycleThatEndsListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/CycleThatEnds.swift", line: 86,
      code: #"""
      final class Opener {
        private var call: Call?
        private var isOpen = false
        private let probe = Probe(Opener.self)

        func open(on disk: (Call) -> Void) {
          let call = Call { self.isOpen = $0 }
          self.call = call
          disk(call)
        }
      }

      final class Call {
        private var completion: ((Bool) -> Void)?
        private let probe = Probe(Call.self)

        init(completion: @escaping (Bool) -> Void) { self.completion = completion }

        func finish(succeeding: Bool) {
          completion?(succeeding)
          completion = nil
        }
      }
      """#),
  ]
}
