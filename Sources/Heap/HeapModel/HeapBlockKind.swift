/// What a block of the heap is.
package enum HeapBlockKind: String, Sendable, Codable, CaseIterable {
  /// An instance of a class, an actor included.
  case instance
  /// The storage of an array, a dictionary, a set or a string.
  case buffer
  /// What a closure captured, or the box of a captured variable.
  case context
  /// A thrown error.
  case error
  /// A task: its state and its first frame.
  case task
  /// More frames of a task.
  case taskSlab
  /// What weak references to an object point at.
  case sideTable
  /// Type metadata that the runtime made.
  case metadata
  /// Memory of no known use.
  case memory
}
