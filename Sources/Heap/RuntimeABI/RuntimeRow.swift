/// One thing that is known of the Swift runtime: the value that this process uses, and where it
/// comes from.
package struct RuntimeRow: Sendable {
  /// What the row is called: the group, a dot and the property of ``RuntimeTable``, as `task.size`.
  package let name: String
  /// The value in use, as text.
  package let value: String
  /// Where the value is written down: a file of https://github.com/swiftlang/swift, or of the
  /// project that the path begins with.
  package let source: String
  /// What plants the thing that the row describes and reads it back.
  package let probe: RuntimeProbe
}

/// A processor and a version of the runtime for which the table has values.
package enum RuntimeColumn: String, Sendable, CaseIterable {
  /// Swift 6.3 and later on x86-64.
  case x86Swift63 = "x86-64, Swift 6.3"
  /// Swift 6.2 on x86-64.
  case x86Swift62 = "x86-64, Swift 6.2"
  /// Swift 6.2 and later on arm64. Only 6.2.3 was tried.
  case arm64 = "arm64, Swift 6.2"
}

/// A value that a row of the table can have.
package protocol RuntimeValue: Sendable {
  /// A wrong value, with which the row's probe must fail.
  var mutant: Self { get }
}

extension UInt: RuntimeValue {
  /// The number plus one.
  package var mutant: UInt { self &+ 1 }
}

extension UInt32: RuntimeValue {
  /// The number plus one.
  package var mutant: UInt32 { self &+ 1 }
}

extension String: RuntimeValue {
  /// A text that no library has as a name.
  package var mutant: String { "?" }
}

extension StaticString: RuntimeValue {
  /// A text that no library has as a name.
  package var mutant: StaticString { "?" }
}

extension Array: RuntimeValue where Element: RuntimeValue {
  /// No elements.
  package var mutant: [Element] { [] }
}

extension Dictionary: RuntimeValue where Key: RuntimeValue, Value: RuntimeValue {
  /// No entries.
  package var mutant: [Key: Value] { [:] }
}

/// Chooses the value of each row while the table is made, and notes the row.
///
/// The table's properties are plain values, so that reading one costs a load. What is known beside
/// the value (name, source, probe) is kept apart, for reports.
struct RowBuilder {
  /// The column that this process uses.
  let column: RuntimeColumn
  /// The names of the rows whose values are to be wrong; none outside tests.
  let mutants: Set<String>
  /// The rows so far.
  var rows: [RuntimeRow] = []

  /// The builder of the table that is being made. The table is made once, by the thread that asks
  /// first; the others wait for it.
  nonisolated(unsafe) static var current = RowBuilder(column: .x86Swift63, mutants: [])
}

/// A row of the table.
///
/// - Parameters:
///   - value: the value on x86-64 with Swift 6.3.
///   - name: the group, a dot and the property.
///   - source: where the value is written down.
///   - probe: what plants the thing and reads it back.
///   - others: the value in the columns where it is another one.
///   - mutant: the wrong value for the test of the probe; nil for the type's own.
/// - Returns: the value to use in this process.
func row<Value: RuntimeValue>(
  _ name: String, _ value: Value, _ source: String, _ probe: RuntimeProbe,
  _ others: KeyValuePairs<RuntimeColumn, Value> = [:], mutant: Value? = nil
) -> Value {
  var value = others.first { $0.key == RowBuilder.current.column }?.value ?? value
  if RowBuilder.current.mutants.contains(name) { value = mutant ?? value.mutant }
  RowBuilder.current.rows.append(
    RuntimeRow(name: name, value: "\(value)", source: source, probe: probe))
  return value
}
