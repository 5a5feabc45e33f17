// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/ReactorKit/StrongMapTable.swift; renewed by 'make record'.

extension Listing {
  static let strongMapTableListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/ReactorKit/StrongMapTable.swift", line: 60,
      code: #"""
      table.value(forKey: key, default: Value())
      """#),
  ]
}
