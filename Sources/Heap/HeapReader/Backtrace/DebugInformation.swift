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

/// One unit of DWARF's `.debug_info` (DWARF 2 to 4, 32-bit), which describes functions and types.
struct DebugUnit {
  /// Where the unit lies in the section.
  let bounds: Range<Int>
  /// Where its shapes begin, in `.debug_abbrev`.
  let abbreviations: Int
  private let info: UnsafeRawBufferPointer
  private let entries: Int

  /// What one entry says of a function, or of a call that was inlined.
  struct Entry {
    /// Whether it is such a call.
    var isCall = false
    /// Where its linker name is noted.
    var linkageName = -1
    /// The number of the file that it is declared in, or called in; 0 where none is given.
    var file = 0
    /// The line that it is declared at, or called at; 0 where none is given.
    var line = 0
    /// Where the unit's line program begins; only the first entry says so.
    var lines: Int?
    /// Where its code begins, or what the parts of it are counted from; nil where it has none.
    var start: UInt?
    /// The number of bytes; in DWARF 2 and 3 where it ends, so that the code seems to go on.
    var size: UInt = 0
    /// Where the parts of its code are noted in `.debug_ranges`.
    var ranges: Int?

    /// Whether one of some addresses is in its code.
    ///
    /// - Parameters:
    ///   - section: `.debug_ranges`.
    ///   - base: what the addresses there are counted from.
    ///   - unread: how many rows of them have not been read.
    func hasCode(
      at addresses: [UInt], _ section: UnsafeRawBufferPointer?, from base: UInt, unread: inout Int
    ) -> Bool {
      func isThere(from start: UInt, to end: UInt) -> Bool {
        addresses.contains { start <= $0 && $0 < end }
      }
      guard let ranges, let section else {
        return start.map { isThere(from: $0, to: $0 &+ size) } ?? false
      }
      var cursor = ByteCursor(section, at: ranges)
      while unread > 0 {
        unread -= 1
        let (start, end) = (UInt(cursor.read(UInt64.self)), UInt(cursor.read(UInt64.self)))
        if start == end { return false }
        if isThere(from: base &+ start, to: base &+ end) { return true }
      }
      return false
    }
  }

  /// Reads the header at an offset; nil at the end, and where the format isn't known.
  init?(in info: UnsafeRawBufferPointer, at offset: Int) {
    var cursor = ByteCursor(info, at: offset)
    let length = cursor.read(UInt32.self)
    let end = cursor.offset + Int(length)
    guard length > 0, length < 0xFFFF_FFF0, end <= info.count else { return nil }
    let version = cursor.read(UInt16.self)
    abbreviations = Int(cursor.read(UInt32.self))
    let addressSize = cursor.byte()
    // Units of another version are stepped over.
    entries = (2...4).contains(version) && addressSize == 8 ? cursor.offset : end
    bounds = offset..<end
    self.info = info
  }

  /// The unit's part of the section.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: info[bounds]) }

  /// The first entry of the unit with each of those that note their linker name at one of some places.
  func entries(namedAt places: Set<Int>, _ shapes: Shapes) -> [(unit: Entry, function: Entry)] {
    var (found, last): ([(Entry, Entry)], Int) = ([], places.max() ?? -1)
    forEachEntry(shapes) { unit, entry, _ in
      if places.contains(entry.linkageName) { found.append((unit, entry)) }
      return entry.linkageName < last
    }
    return found
  }

  /// The first entry of the unit, and the outermost call in a function to whose code one of some addresses
  /// belongs; the next one in it for a forwarder.
  func call(
    at addresses: [UInt], inFunctionAt start: UInt, _ isForwarder: Bool,
    _ shapes: Shapes, _ ranges: UnsafeRawBufferPointer?
  ) -> (unit: Entry, call: Entry)? {
    var (function, found): (Int?, [(Entry, Entry)]) = (nil, [])
    var (wanted, rows) = (isForwarder ? 2 : 1, (ranges?.count ?? 0) / 16)
    forEachEntry(shapes) { unit, entry, depth in
      guard let function else {
        if entry.start == start { function = depth }
        return true
      }
      let isCall =
        entry.isCall && entry.hasCode(at: addresses, ranges, from: unit.start ?? 0, unread: &rows)
      if isCall { found.append((unit, entry)) }
      return depth > function && found.count < wanted
    }
    return found.count == wanted ? found.last : nil
  }

  // Ends with the unit, at what is not understood, and where it is told to.
  private func forEachEntry(
    _ shapes: Shapes, _ goesOn: (_ unit: Entry, _ entry: Entry, _ depth: Int) -> Bool
  ) {
    let own = UnsafeRawBufferPointer(rebasing: info[..<bounds.upperBound])
    var (cursor, unit, depth) = (ByteCursor(own, at: entries), Entry?.none, 0)
    while cursor.offset < bounds.upperBound, !cursor.isExhausted {
      let code = cursor.unsigned()
      if code == 0 {
        depth -= 1
        continue
      }
      guard let shape = shapes[code], let entry = entry(shape, &cursor) else { return }
      if let unit, !goesOn(unit, entry, depth) { return }
      unit = unit ?? entry
      if shape.hasChildren { depth += 1 }
    }
  }

  private func entry(_ shape: Shape, _ cursor: inout ByteCursor) -> Entry? {
    var entry = Entry(isCall: shape.isCall)
    for (attribute, form) in shape.attributes {
      let place = cursor.offset
      guard let value = cursor.value(in: UInt(form))?.number else { return nil }
      // By DWARF's numbers: `DW_AT_linkage_name`, `DW_AT_decl_file` and `DW_AT_call_file`,
      // `DW_AT_decl_line` and `DW_AT_call_line`, `DW_AT_stmt_list`, `DW_AT_low_pc`, `DW_AT_high_pc` and
      // `DW_AT_ranges`.
      switch attribute {
      case 0x6E: entry.linkageName = place
      case 0x3A, 0x58: entry.file = value
      case 0x3B, 0x59: entry.line = value
      case 0x10: entry.lines = value
      case 0x11: entry.start = UInt(bitPattern: value)
      case 0x12: entry.size = UInt(bitPattern: value)
      case 0x55: entry.ranges = value
      default: break
      }
    }
    return entry
  }

  /// Of what kind an entry is, whether others follow that belong to it, and which attributes it has, in which
  /// form each.
  struct Shape {
    /// Whether it is an inlined call.
    let isCall: Bool
    fileprivate let hasChildren: Bool
    fileprivate var attributes: [(attribute: UInt16, form: UInt8)] = []
  }

  /// The shapes of a unit's entries by their codes.
  typealias Shapes = [UInt: Shape]

  /// Reads a table of `.debug_abbrev`, as far as it is understood.
  static func shapes(in table: UnsafeRawBufferPointer) -> Shapes {
    var (cursor, shapes) = (ByteCursor(table), Shapes())
    while !cursor.isExhausted {
      let code = cursor.unsigned()
      if code == 0 { break }
      // `DW_TAG_inlined_subroutine`.
      var shape = Shape(isCall: cursor.unsigned() == 0x1D, hasChildren: cursor.byte() != 0)
      while true {
        let (attribute, form) = (cursor.unsigned(), cursor.unsigned())
        if attribute == 0 && form == 0 || cursor.isExhausted { break }
        // A flag takes no byte of an entry: many of them would only take time of each.
        guard form != 0x19 else { continue }
        shape.attributes.append((UInt16(clamping: attribute), UInt8(clamping: form)))
      }
      shapes[code] = shape
    }
    return shapes
  }
}
