import MemlabHeapModel

extension ElfFile {
  /// Where a function is written, from DWARF's `.debug_info`: for a closure, the line of its opening brace;
  /// nil without debug information.
  ///
  /// The line table alone would not do: with optimisation, the first instruction of a function may
  /// come from one that was inlined into it, and a function that was inlined itself has none.
  ///
  /// Names are stored once and noted by their offsets, so that all places which may name the
  /// function are found without decoding anything; then one unit is decoded as far as it names it.
  ///
  /// - Parameter name: the function's, as the linker has it.
  package func declaration(of name: String) -> SourceLine? {
    guard let info = section(named: ".debug_info"),
      let abbreviations = section(named: ".debug_abbrev"),
      let strings = section(named: ".debug_str"), let lines = LineSections(self),
      let string = ByteSearch.first([0] + Array(name.utf8) + [0], in: strings)
    else { return nil }
    let offset = withUnsafeBytes(of: UInt32(clamping: string + 1).littleEndian) { Array($0) }
    var start = 0
    for place in ByteSearch.offsets(of: offset, in: info) {
      while let unit = DebugUnit(in: info, at: start) {
        if unit.bounds.contains(place) {
          let entries = unit.entries(namedAt: place, abbreviatedIn: abbreviations)
          if let (unit, function) = entries, let program = unit.lines,
            let line = LineUnit(in: lines.line, at: program)?.sourceLine(
              function.declarationLine, ofFile: function.declarationFile, in: lines)
          {
            return line
          }
          break
        }
        start = unit.bounds.upperBound
      }
    }
    return nil
  }
}

/// One unit of DWARF's `.debug_info` (DWARF 2 to 4, 32-bit), which describes functions and types.
struct DebugUnit {
  /// Where the unit lies in the section.
  let bounds: Range<Int>
  private let info: UnsafeRawBufferPointer
  private let entries: Int
  private let abbreviations: Int

  /// What one entry says of a function.
  struct Entry {
    /// Where its linker name is noted.
    var linkageName = -1
    /// The number of the file that it is declared in; 0 where none is given.
    var declarationFile = 0
    /// The line that it is declared at; 0 where none is given.
    var declarationLine = 0
    /// Where the unit's line program begins; only the first entry says so.
    var lines: Int?
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

  /// The first entry of the unit, and the one that notes its linker name at some place.
  func entries(
    namedAt place: Int, abbreviatedIn section: UnsafeRawBufferPointer
  ) -> (unit: Entry, function: Entry)? {
    let shapes = shapes(in: section)
    var cursor = ByteCursor(info, at: entries)
    var unit: Entry?
    while cursor.offset < bounds.upperBound, !cursor.isExhausted {
      let code = cursor.unsigned()
      if code == 0 { continue }
      guard let shape = shapes[code], let entry = entry(shape, &cursor) else { return nil }
      guard let first = unit else {
        unit = entry
        continue
      }
      if cursor.offset > place { return entry.linkageName == place ? (first, entry) : nil }
    }
    return nil
  }

  private func entry(_ shape: Shape, _ cursor: inout ByteCursor) -> Entry? {
    var entry = Entry()
    for (attribute, form) in shape {
      let place = cursor.offset
      guard let value = cursor.value(in: form)?.number else { return nil }
      // By DWARF's numbers: `DW_AT_linkage_name`, `DW_AT_decl_file`, `DW_AT_decl_line` and
      // `DW_AT_stmt_list`.
      switch attribute {
      case 0x6E: entry.linkageName = place
      case 0x3A: entry.declarationFile = value
      case 0x3B: entry.declarationLine = value
      case 0x10: entry.lines = value
      default: break
      }
    }
    return entry
  }

  /// Which attributes an entry has, and in which form each.
  private typealias Shape = [(attribute: UInt, form: UInt)]

  /// The shapes of the entries by their codes, from `.debug_abbrev`.
  private func shapes(in section: UnsafeRawBufferPointer) -> [UInt: Shape] {
    var cursor = ByteCursor(section, at: abbreviations)
    var shapes: [UInt: Shape] = [:]
    while !cursor.isExhausted {
      let code = cursor.unsigned()
      if code == 0 { break }
      _ = cursor.unsigned()
      cursor.skip(1)
      var shape: Shape = []
      while true {
        let (attribute, form) = (cursor.unsigned(), cursor.unsigned())
        if attribute == 0 && form == 0 || cursor.isExhausted { break }
        shape.append((attribute, form))
      }
      shapes[code] = shape
    }
    return shapes
  }
}
