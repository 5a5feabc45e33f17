// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/ReactorKit/ReactorMutateSelf.swift; renewed by 'make record'.

extension Listing {
  static let reactorMutateSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/ReactorKit/ReactorMutateSelf.swift", line: 64,
      code: #"""
      func mutate(action: CounterScreen.Action) -> Observable<CounterScreen.Mutation> {
        api.load().map { self.mutation(for: $0) }
      }
      """#),
  ]
}
