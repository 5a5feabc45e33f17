/// For which blocks a snapshot can say why they are alive.
package enum HeapTracing: Sendable {
  /// For all of them.
  case everything
  /// For instances of these classes, by qualified name. Takes less time where none is alive.
  case survivors(of: Set<String>)
}

/// Why there is no snapshot.
package enum HeapError: Error, Hashable, CustomStringConvertible {
  /// Recording is off.
  case notRecording
  /// This build cannot record; the text says why.
  case unrecordable(String)
  /// The runtime isn't laid out as expected; the text says what was different.
  case unknownRuntime(String)
  /// The kernel doesn't let the recorder keep freed memory until it has been read.
  case unheldFrees

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .notRecording: "the heap is not being recorded"
    case .unrecordable(let obstacle): "this build cannot record it: \(obstacle)"
    case .unknownRuntime(let detail): "the heap trace does not know this runtime: \(detail)"
    case .unheldFrees:
      "this kernel has no membarrier, so memory could go away while it is read"
    }
  }
}
