import MemlabRuntimeABI

/// What can be said of the Swift runtime of this process, for a report of what went wrong.
package enum RuntimeFacts {
  /// The version of Swift that the runtime is of, as far as what it exports tells.
  package static var version: String {
    RuntimeColumn.isBefore63 ? "Swift 6.2" : "Swift 6.3 or later"
  }
}

/// What the frames of suspended tasks lie in.
package enum FrameMemory: String, Sendable {
  /// Blocks of their own, which are freed when the frame ends.
  case blocks = "a block for each, so that nothing is read that a frame has left behind"
  /// Slabs: what a frame has left behind there may look as if it was held.
  case slabs = "in slabs, where what a frame has left behind may look as if it was held"

  /// What it means for what is read.
  package var description: String { rawValue }
}

/// The table of the runtime, each row with what the probes have found.
package struct RuntimeTableCheck: Sendable {
  /// A row of the table.
  package struct Row: Sendable {
    /// The row's name, such as `task.size`.
    package let name: String
    /// The value in use, as text.
    package let value: String
    /// The file that the value is written down in.
    package let source: String
    /// Whether what the row describes was read back as it was planted; nil where nothing was planted.
    package let agrees: Bool?
    /// Whether the heap is read by it: where frames are blocks of their own, no slab is.
    package let isUsed: Bool

    /// A row that was checked.
    package init(name: String, value: String, source: String, agrees: Bool?, isUsed: Bool) {
      (self.name, self.value, self.source) = (name, value, source)
      (self.agrees, self.isUsed) = (agrees, isUsed)
    }
  }

  /// The processor and the version of the runtime that the values are for.
  package let column: String
  /// The rows, in the table's order.
  package let rows: [Row]
  /// What frames lie in; nil where that was not seen.
  package let frames: FrameMemory?
  /// What cannot be told here, a sentence for each probe that has failed.
  package let losses: [String]

  /// A table that was checked.
  package init(column: String, rows: [Row], frames: FrameMemory?, losses: [String]) {
    (self.column, self.rows, self.frames, self.losses) = (column, rows, frames, losses)
  }
}

/// What the file of a program tells of its functions, and so what a chain can name.
package enum ProgramSymbols: Sendable {
  /// Their names, and the lines that they are written in.
  case functionsAndLines
  /// Their names alone.
  case functions
  /// Only the names that other programs may use: the file was stripped.
  case exported

  /// What there is, and what is missing in consequence.
  package var description: String {
    switch self {
    case .functionsAndLines: "names and lines of functions"
    case .functions:
      "names of functions and no lines, so chains do not say where; build with -g for them"
    case .exported:
      "stripped, so closures and waiting functions have no names and no lines; use a file that "
        + "was not stripped"
    }
  }
}
