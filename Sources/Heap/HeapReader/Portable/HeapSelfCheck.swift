package import MemlabHeapModel

/// Finds out whether the heap trace can be trusted: here it cannot.
package enum HeapSelfCheck {
  /// Plants nothing.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  @discardableResult
  package static func run() throws -> [String] { throw HeapError.unread }
}

/// The table of the runtime, on Linux.
package struct RuntimeTableCheck: Sendable {
  /// A row of the table.
  package struct Row: Sendable {
    private let none: Never

    /// The name.
    package var name: String { switch none {} }
    /// The value.
    package var value: String { switch none {} }
    /// Where the value is written down.
    package var source: String { switch none {} }
    /// Whether it was read back.
    package var agrees: Bool? { switch none {} }
  }

  private let none: Never

  /// Checks nothing.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  package init() throws { throw HeapError.unread }

  /// The processor and the version.
  package var column: String { switch none {} }
  /// The rows.
  package var rows: [Row] { switch none {} }
  /// What cannot be told.
  package var losses: [String] { switch none {} }
}
