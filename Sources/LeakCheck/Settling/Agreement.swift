internal import HeapGraph

/// What looks at the heap, one after the other, say of the tasks and objects that nothing can end.
struct Agreement {
  // A thread that runs that long without a word to memory is not about to resume a task.
  private static let enough = Duration.seconds(1)

  private let lost: [UInt64]
  private let start: ContinuousClock.Instant
  private let hasSeenAll: Bool

  /// What a look says, beside those before it; nil when it says that all may still end.
  init?(on look: Result<HeapLook, HeapUnreadable>, after earlier: Agreement?) {
    guard case .success(let look) = look, look.abandonment != .no else { return nil }
    lost = look.tasks.map(\.id)
    let earlier = earlier?.lost == lost ? earlier : nil
    start = earlier?.start ?? .now
    hasSeenAll = look.abandonment == .yes || earlier?.hasSeenAll == true
  }

  /// Whether another look says the same, and nothing can have escaped both.
  func holds(for look: Result<HeapLook, HeapUnreadable>) -> Bool {
    guard let next = Agreement(on: look, after: self), next.lost == lost else { return false }
    return next.hasSeenAll || .now - next.start >= Self.enough
  }
}
