// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/TaskInOwner.swift; renewed by 'make record'.

extension Listing {
  static let taskInOwnerListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/TaskInOwner.swift", line: 82,
      code: #"""
      final class Loader {
        private var text = ""
        private var task: Task<Void, Never>?
        private let probe = Probe(Loader.self)

        func load(from server: Server) {
          task = Task(probe: "load") { text = await server.text() }
        }
      }
      """#),
  ]
}
