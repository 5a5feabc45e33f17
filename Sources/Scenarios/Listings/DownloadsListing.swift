// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/Downloads.swift; renewed by 'make record'.

extension Listing {
  static let downloadsListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/Downloads.swift", line: 34,
      code: #"""
      func image(_ id: Int = 1) async -> Int? {
        await withTaskCancellationHandler {
          await withUnsafeContinuation { continuation in
            begin(id) { continuation.resume(returning: $0) }
          }
        } onCancel: {
          take(id)
        }
      }
      """#),
    Listing(
      "fix", path: "Sources/Scenarios/PublicReports/Downloads.swift", line: 46,
      code: #"""
      func imageOrNil(_ id: Int = 1) async -> Int? {
        await withTaskCancellationHandler {
          await withUnsafeContinuation { continuation in
            begin(id) { continuation.resume(returning: $0) }
            if Task.isCancelled { take(id)?(nil) }
          }
        } onCancel: {
          take(id)?(nil)
        }
      }
      """#),
  ]
}
