import Synchronization
import Testing

/// Runs a check that is known to fail, for the leaks that are meant and no other.
///
/// - Parameters:
///   - names: what the failures may name, and each of which one must.
///   - isRare: whether a race decides, so that there may be no failure.
func knownLeak(
  _ comment: Comment, naming names: [String], isRare: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation, _ check: () async throws -> Void
) async rethrows {
  let found = Mutex<[String]>([])
  try await withKnownIssue(comment, isIntermittent: isRare, sourceLocation: sourceLocation) {
    try await check()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    guard names.contains(where: text.contains) else { return false }
    found.withLock { $0.append(text) }
    return true
  }
  let texts = found.withLock { $0 }
  for name in names where !isRare {
    #expect(
      texts.contains { $0.contains(name) }, "\(name) in \(texts)", sourceLocation: sourceLocation)
  }
}
