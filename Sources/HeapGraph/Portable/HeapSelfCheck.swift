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

    package var name: String { switch none {} }
    package var value: String { switch none {} }
    package var source: String { switch none {} }
    package var agrees: Bool? { switch none {} }
  }

  private let none: Never

  /// Checks nothing.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  package init() throws { throw HeapError.unread }

  package var column: String { switch none {} }
  package var rows: [Row] { switch none {} }
  package var losses: [String] { switch none {} }
}
