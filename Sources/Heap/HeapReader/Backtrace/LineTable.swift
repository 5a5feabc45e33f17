package import MemlabHeapModel
import MemlabHeapScan

/// The parts of a file that say which source line its machine code comes from.
struct LineSections: Sendable {
  /// `.debug_line`.
  nonisolated(unsafe) let line: UnsafeRawBufferPointer
  /// `.debug_str`.
  nonisolated(unsafe) let strings: UnsafeRawBufferPointer?
  /// `.debug_line_str`.
  nonisolated(unsafe) let lineStrings: UnsafeRawBufferPointer?

  /// Finds the parts; nil when the file has no line programs.
  init?(_ file: ElfFile) {
    guard let line = file.section(named: ".debug_line") else { return nil }
    self.line = line
    strings = file.section(named: ".debug_str")
    lineStrings = file.section(named: ".debug_line_str")
  }

  /// The text at an offset of one of the string sections; empty when there is none.
  func text(in section: UnsafeRawBufferPointer?, at offset: Int) -> String {
    guard let section else { return "" }
    var cursor = ByteCursor(section, at: offset)
    return cursor.string()
  }
}

/// A line of a source file, and whether that is a file of a package that was fetched.
package typealias SourceLine = (location: CodeLocation, isFetched: Bool)

/// Finds the source line of an address from DWARF's `.debug_line` alone.
///
/// `.debug_info` would say which unit covers an address; reading it costs more than it gives. Only the
/// nearest run of code below an address is decoded.
package final class LineTable: Sendable {
  private let sections: LineSections
  private let runs: [LineRun]

  /// Indexes the file's line programs; nil when it has none.
  package init?(_ file: ElfFile) {
    guard let sections = LineSections(file) else { return nil }
    (self.sections, runs) = (sections, LineRun.all(in: sections.line))
  }

  /// The first line written by a person in a stretch of code.
  ///
  /// The compiler gives line 0, or a made-up file, to code of its own: a resume function often
  /// begins with some, and its first real line is that of the `await` (or `for await`) that
  /// suspended. In optimised code, it begins with a row that has the function's line and no column.
  ///
  /// - Parameter code: the addresses to look at, in the file's terms.
  /// - Returns: the line, and where code of that line begins in the stretch.
  package func firstLine(in code: Range<UInt>) -> (line: SourceLine, addresses: [UInt])? {
    var limit = code.lowerBound
    // The patterns also occur by chance in other operands: then the next candidate is tried.
    for _ in 0..<4 {
      let end = runs.indices.end { runs[$0].address <= limit }
      guard end > 0 else { return nil }
      let run = runs[end - 1]
      guard let unit = LineUnit(in: sections.line, at: run.unit) else { return nil }
      if let rows = rows(of: run, in: unit, covering: code) {
        // Each reads a table of files.
        for row in (rows.filter { $0.column > 0 } + rows).filter({ $0.line > 0 }).prefix(256) {
          let line = unit.sourceLine(row.line, ofFile: row.file, in: sections)
          guard let line else { continue }
          let same = rows.filter { ($0.line, $0.file) == (row.line, row.file) }
          return (line, same.prefix(256).map { max($0.address, code.lowerBound) })
        }
        return nil
      }
      guard run.address > 0 else { return nil }
      limit = run.address - 1
    }
    return nil
  }

  /// The rows that overlap the stretch; nil when the run ends before it.
  private func rows(
    of run: LineRun, in unit: LineUnit, covering code: Range<UInt>
  ) -> [LineProgram.Row]? {
    var program = LineProgram(unit, in: sections.line, at: run.offset)
    var (previous, rows): (LineProgram.Row?, [LineProgram.Row]) = (nil, [])
    while let row = program.next(), row.address < code.upperBound {
      if row.address > code.lowerBound {
        if let previous, previous.address <= code.lowerBound { rows.append(previous) }
        if !row.endsSequence { rows.append(row) }
      }
      if row.endsSequence { return row.address > code.lowerBound ? rows : nil }
      previous = row
    }
    if rows.isEmpty, let previous { rows.append(previous) }
    return rows
  }
}

/// Runs the line program of one unit: a small machine whose rows tie addresses to lines.
struct LineProgram {
  /// One row of the table: from this address on, code comes from that line.
  struct Row {
    /// The first instruction that the row is about.
    var address: UInt = 0
    /// The number of the file.
    var file = 1
    /// The line; 0 for code that no line was written for.
    var line = 1
    /// The column; 0 where none is told, as for what optimised code begins with.
    var column = 0
    /// The row ends a run of code; its address is the first one outside.
    var endsSequence = false
  }

  private let unit: LineUnit
  private var cursor: ByteCursor
  private var row = Row()

  /// Starts at an offset of the section where a sequence begins.
  init(_ unit: LineUnit, in section: UnsafeRawBufferPointer, at offset: Int) {
    self.unit = unit
    cursor = ByteCursor(section, at: offset)
  }

  /// The next row, or nil at the end of the unit.
  mutating func next() -> Row? {
    while cursor.offset < unit.bounds.upperBound, !cursor.isExhausted {
      let opcode = cursor.byte()
      if opcode >= unit.opcodeBase {
        advance(special: Int(opcode - unit.opcodeBase), movesLine: true)
        return row
      }
      if opcode == 1 { return row }
      if opcode > 1 { standard(opcode) }
      guard opcode == 0, extended() else { continue }
      defer { row = Row() }
      row.endsSequence = true
      return row
    }
    return nil
  }

  private mutating func advance(special opcode: Int, movesLine: Bool) {
    row.address &+= UInt(opcode / unit.lineRange) &* unit.minimumInstructionLength
    if movesLine { row.line &+= unit.lineBase + opcode % unit.lineRange }
  }

  /// Returns whether the sequence ends here.
  private mutating func extended() -> Bool {
    let length = cursor.unsigned()
    var rest = cursor
    rest.skip(Int(clamping: length))
    let opcode = cursor.byte()
    if opcode == 2 { row.address = UInt(cursor.read(UInt64.self)) }
    cursor = rest
    return opcode == 1
  }

  private mutating func standard(_ opcode: UInt8) {
    switch opcode {
    case 2: row.address &+= cursor.unsigned() &* unit.minimumInstructionLength
    case 3: row.line &+= cursor.signed()
    case 4: row.file = Int(clamping: cursor.unsigned())
    case 5: row.column = Int(clamping: cursor.unsigned())
    case 8: advance(special: 255 - Int(unit.opcodeBase), movesLine: false)
    case 9: row.address &+= UInt(cursor.read(UInt16.self))
    default:
      for _ in 0..<unit.operandCounts[Int(opcode) - 1] { _ = cursor.unsigned() }
    }
  }
}

/// The header of one compilation unit's line program (DWARF 2 to 5, 32-bit).
struct LineUnit: Sendable {
  /// Where the unit and its program lie in `.debug_line`.
  let bounds: Range<Int>
  /// How many bytes an address advance counts.
  let minimumInstructionLength: UInt
  /// The smallest line advance of a special opcode.
  let lineBase: Int
  /// How many line advances the special opcodes have.
  let lineRange: Int
  /// The first special opcode.
  let opcodeBase: UInt8
  /// How many operands each standard opcode takes, from opcode 1 on.
  let operandCounts: [UInt8]
  private let version: UInt16
  private let tables: Int

  /// Reads the header at an offset; nil at the end, and where the format isn't known.
  init?(in section: UnsafeRawBufferPointer, at offset: Int) {
    var cursor = ByteCursor(section, at: offset)
    let length = cursor.read(UInt32.self)
    let end = cursor.offset + Int(length)
    version = cursor.read(UInt16.self)
    guard length < 0xFFFF_FFF0, end <= section.count, (2...5).contains(version) else { return nil }
    if version == 5 { cursor.skip(2) }
    let start = Int(cursor.read(UInt32.self)) + cursor.offset
    minimumInstructionLength = UInt(cursor.byte())
    cursor.skip(version >= 4 ? 2 : 1)
    lineBase = Int(cursor.read(Int8.self))
    lineRange = Int(cursor.byte())
    opcodeBase = cursor.byte()
    operandCounts = (1..<max(1, opcodeBase)).map { _ in cursor.byte() }
    tables = cursor.offset
    guard !cursor.isExhausted, start <= end, lineRange > 0, opcodeBase > 0 else { return nil }
    bounds = offset..<end
  }

  /// A line of a file; nil when the unit has no such line, or the compiler made up the file.
  func sourceLine(_ line: Int, ofFile index: Int, in sections: LineSections) -> SourceLine? {
    guard line > 0, let file = file(index, in: sections) else { return nil }
    let name = lastComponent(of: file.name)
    guard !name.hasPrefix("<"), !name.hasPrefix("@__swiftmacro") else { return nil }
    // SwiftPM and Xcode keep packages that they have fetched in a folder of this name.
    let isFetched = "\(file.folder)/\(file.name)".contains("/checkouts/")
    // A name may have folders of its own.
    let folder = "\(file.folder)/\(file.name)".utf8.dropLast(name.utf8.count + 1)
    return (CodeLocation(file: name, line: line, in: String(Substring(folder))), isFetched)
  }

  private struct File {
    var name = ""
    var folder = ""
  }

  private func file(_ index: Int, in sections: LineSections) -> File? {
    var cursor = ByteCursor(sections.line, at: tables)
    let file = version == 5 ? newFile(index, &cursor, sections) : oldFile(index, &cursor)
    return file.flatMap { $0.name.isEmpty || cursor.isExhausted ? nil : $0 }
  }

  /// Up to DWARF 4, both tables are lists of strings that end with an empty one; both count from 1.
  private func oldFile(_ index: Int, _ cursor: inout ByteCursor) -> File? {
    var folders = [""]
    while case let folder = cursor.string(), !folder.isEmpty { folders.append(folder) }
    var position = 1
    while case let name = cursor.string(), !name.isEmpty {
      let folder = Int(clamping: cursor.unsigned())
      if position == index {
        return File(name: name, folder: folder < folders.count ? folders[folder] : "")
      }
      for _ in 0..<2 { _ = cursor.unsigned() }
      position += 1
    }
    return nil
  }

  /// DWARF 5 describes the columns of both tables before their rows; files count from 0.
  private func newFile(_ index: Int, _ cursor: inout ByteCursor, _ all: LineSections) -> File? {
    let folders = rows(upTo: .max, &cursor, all)
    guard let rows = rows(upTo: index, &cursor, all), index < rows.count else { return nil }
    let (name, folder) = rows[index]
    guard let folders, folder < folders.count else { return File(name: name) }
    return File(name: name, folder: folders[folder].path)
  }

  /// The rows of a table, each a path and the number of its folder; nil where a form is not known.
  private func rows(
    upTo last: Int, _ cursor: inout ByteCursor, _ sections: LineSections
  ) -> [(path: String, folder: Int)]? {
    let columns = (0..<cursor.byte()).map { _ in (cursor.unsigned(), cursor.unsigned()) }
    var rows: [(path: String, folder: Int)] = []
    // Rows without columns take no bytes, nor do flags, so that nothing would end them.
    if columns.count > 16 || columns.allSatisfy({ $0.1 == 0x19 }) { return rows }
    for row in 0..<Int(clamping: cursor.unsigned()) {
      var (path, folder) = ("", 0)
      for (content, form) in columns {
        guard let value = field(form, &cursor, sections) else { return nil }
        if content == 1 { path = value.text }
        if content == 2 { folder = value.number }
      }
      rows.append((path, folder))
      if row == last || cursor.isExhausted { break }
    }
    return rows
  }

  /// Reads one field: its text or its number, whichever it has; nil for a form not known.
  private func field(
    _ form: UInt, _ cursor: inout ByteCursor, _ sections: LineSections
  ) -> (number: Int, text: String)? {
    guard let value = cursor.value(in: form) else { return nil }
    switch form {
    case 0x0E: return (0, sections.text(in: sections.strings, at: value.number))
    case 0x1F: return (0, sections.text(in: sections.lineStrings, at: value.number))
    default: return value
    }
  }
}
