import MemlabHeapModel
import MemlabHeapScan

/// What DWARF's `.debug_info` says of functions: where they are written, and where they call others whose code
/// the optimiser has put into theirs.
///
/// The line table alone would not do: with optimisation, an instruction of a function may come from one that was
/// inlined into it, and a function that was inlined itself has none.
///
/// A file may have been made to do harm. In a compiler's, no table overlaps another, and a function has few
/// entries. So no byte is read for two tables, few entries are asked for a line, and a question takes about as
/// long as to read the file once.
package final class DebugInformation {
  private let info: UnsafeRawBufferPointer
  private let ranges: UnsafeRawBufferPointer?
  private let lines: LineSections
  private let units: [DebugUnit]
  // The tables of their entries' shapes, by where they begin in `.debug_abbrev`.
  private let tables: [Int: UnsafeRawBufferPointer]
  // Those that were read: there are a thousand, and few are asked for.
  private var shapes: [Int: DebugUnit.Shapes] = [:]
  // The units in which something may be inlined.
  private let inlinedUnits: [DebugUnit]

  /// Finds the units; nil where the file has no debug information.
  package init?(_ file: ElfFile) {
    guard let info = file.section(named: ".debug_info"), let lines = LineSections(file),
      let abbreviations = file.section(named: ".debug_abbrev")
    else { return nil }
    (self.info, self.lines) = (info, lines)
    ranges = file.section(named: ".debug_ranges")
    var units: [DebugUnit] = []
    while let unit = DebugUnit(in: info, at: units.last?.bounds.upperBound ?? 0) {
      units.append(unit)
    }
    self.units = units
    var (tables, end) = ([Int: UnsafeRawBufferPointer](), abbreviations.count)
    for start in Set(units.map(\.abbreviations)).sorted(by: >) where start < end {
      (tables[start], end) = (UnsafeRawBufferPointer(rebasing: abbreviations[start..<end]), start)
    }
    self.tables = tables
    // `DW_TAG_inlined_subroutine`, without or with entries that belong to it.
    let withCalls = tables.filter { table in
      [0, 1].contains { ByteSearch.first([0x1D, $0], in: table.value) != nil }
    }
    inlinedUnits = units.filter { withCalls[$0.abbreviations] != nil }
  }

  private func shapes(of unit: DebugUnit) -> DebugUnit.Shapes {
    if let known = shapes[unit.abbreviations] { return known }
    let read = tables[unit.abbreviations].map(DebugUnit.shapes) ?? [:]
    shapes[unit.abbreviations] = read
    return read
  }

  /// Where a function is written: for a closure, the line of its opening brace.
  ///
  /// Names are stored once and noted by their offsets, so that all places which may name the
  /// function are found without decoding anything; then the units are decoded that may name it.
  ///
  /// - Parameter name: the function's, as the linker has it.
  package func declaration(of name: String) -> SourceLine? {
    guard let strings = lines.strings,
      let string = ByteSearch.first([0] + Array(name.utf8) + [0], in: strings)
    else { return nil }
    var places = ByteSearch.offsets(of: UInt32(clamping: string + 1).bytes, in: info)[...]
    var asked = 0
    for unit in units where !places.isEmpty {
      let own = places.prefix { $0 < unit.bounds.upperBound }
      places = places.dropFirst(own.count)
      guard !own.isEmpty else { continue }
      for entry in unit.entries(namedAt: Set(own), shapes(of: unit)) {
        if let line = line(entry.unit, entry.function) { return line }
        asked += 1
        guard asked < Self.most else { return nil }
      }
    }
    return nil
  }

  // How many entries are asked for one line: each reads a table of files.
  private static let most = 64

  /// The line of a function at which it calls another that has become part of it.
  ///
  /// - Parameters:
  ///   - addresses: where code is that may be the other's, in the file's terms.
  ///   - start: where the function begins.
  ///   - isForwarder: whether the function forwards to another, and that one's line is asked for, which has
  ///     become part of it.
  /// - Returns: nil where none of the code is another's.
  package func line(
    ofCallAt addresses: [UInt], inFunctionAt start: UInt, isForwarder: Bool
  ) -> SourceLine? {
    let units = inlinedUnits.filter { ByteSearch.first(UInt64(start).bytes, in: $0.bytes) != nil }
    for unit in units.prefix(Self.most) {
      let call = unit.call(
        at: addresses, inFunctionAt: start, isForwarder, shapes(of: unit), ranges)
      if let line = call.flatMap(line) { return line }
    }
    return nil
  }

  private func line(_ unit: DebugUnit.Entry, _ entry: DebugUnit.Entry) -> SourceLine? {
    let program = unit.lines.flatMap { LineUnit(in: lines.line, at: $0) }
    return program?.sourceLine(entry.line, ofFile: entry.file, in: lines)
  }
}

extension FixedWidthInteger {
  // As files have them.
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
