import MemlabHeapModel

/// The header of one compilation unit's line program (DWARF 2 to 5, 32-bit).
struct LineUnit: Sendable {
  /// Where the unit and its program lie in `.debug_line`.
  let bounds: Range<Int>
  /// Where the instructions are, in `.debug_line`.
  let program: Range<Int>
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
    let headerLength = Int(cursor.read(UInt32.self))
    let start = cursor.offset + headerLength
    minimumInstructionLength = UInt(cursor.byte())
    cursor.skip(version >= 4 ? 2 : 1)
    lineBase = Int(cursor.read(Int8.self))
    lineRange = Int(cursor.byte())
    opcodeBase = cursor.byte()
    var counts: [UInt8] = []
    for _ in 1..<max(1, opcodeBase) { counts.append(cursor.byte()) }
    operandCounts = counts
    tables = cursor.offset
    guard !cursor.isExhausted, start <= end, lineRange > 0, opcodeBase > 0 else { return nil }
    bounds = offset..<end
    program = start..<end
  }

  /// A line of a file; nil when the unit has no such line, or the compiler made up the file.
  func sourceLine(_ line: Int, ofFile index: Int, in sections: LineSections) -> SourceLine? {
    guard line > 0, let file = file(index, in: sections) else { return nil }
    let name = lastComponent(of: file.name)
    guard !name.hasPrefix("<"), !name.hasPrefix("@__swiftmacro") else { return nil }
    // SwiftPM and Xcode keep packages that they have fetched in a folder of this name.
    let isFetched = "\(file.folder)/\(file.name)".contains("/checkouts/")
    return SourceLine(location: CodeLocation(file: name, line: line), isFetched: isFetched)
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
    while true {
      let name = cursor.string()
      if name.isEmpty { return nil }
      let folder = Int(clamping: cursor.unsigned())
      if position == index {
        return File(name: name, folder: folder < folders.count ? folders[folder] : "")
      }
      for _ in 0..<2 { _ = cursor.unsigned() }
      position += 1
    }
  }

  /// DWARF 5 describes the columns of both tables before their rows; files count from 0.
  private func newFile(
    _ index: Int, _ cursor: inout ByteCursor, _ sections: LineSections
  ) -> File? {
    let folders = rows(upTo: .max, &cursor, sections)
    guard let rows = rows(upTo: index, &cursor, sections), index < rows.count else { return nil }
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
  ) -> (text: String, number: Int)? {
    switch form {
    case 0x08: return (cursor.string(), 0)
    case 0x0E: return (sections.text(in: sections.strings, at: cursor.read(UInt32.self)), 0)
    case 0x1F: return (sections.text(in: sections.lineStrings, at: cursor.read(UInt32.self)), 0)
    case 0x0F: return ("", Int(clamping: cursor.unsigned()))
    case 0x0B: return ("", Int(cursor.byte()))
    case 0x05: return ("", Int(cursor.read(UInt16.self)))
    case 0x06: cursor.skip(4)
    case 0x07: cursor.skip(8)
    case 0x1E: cursor.skip(16)
    case 0x09: cursor.skip(Int(clamping: cursor.unsigned()))
    default: return nil
    }
    return ("", 0)
  }
}
