/// A task that has not finished, as the heap shows it.
public struct HeapWaiter: Codable, Sendable, Equatable {
  /// The task's name.
  public let name: String
  /// Whether somebody has cancelled it.
  public let isCancelled: Bool
  /// What it waits for, such as `AsyncThrowingStream.Iterator.next()`.
  public let suspendedIn: String?
  /// Where in the code under study it waits, the innermost function first.
  public let frames: [HeapFrame]
}
