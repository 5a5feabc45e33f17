// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/CapturedOwner.swift; renewed by 'make record'.

extension Listing {
  static let capturedOwnerListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/CapturedOwner.swift", line: 44,
      code: #"""
      let task: Task = .init(probe: "consumer") {
        for try await _ in dataCacheUseCase.didChangeDataCache {
          Ledger.current?.note("consumer received")
        }
      }
      """#),
  ]
}
