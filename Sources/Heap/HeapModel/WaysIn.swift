/// Whether something that could still run has a way to some tasks and objects.
package enum WaysIn: Sendable {
  /// Nothing has: they are lost for good.
  case none
  /// Something has, or may have.
  case found
  /// A thread was running, and nothing tells what it knows. Another look may find it waiting.
  case unclear
}
