import MemlabHeapModel

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
    let shapes = DebugShape.table(in: section, at: abbreviations)
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

  private func entry(_ shape: DebugShape, _ cursor: inout ByteCursor) -> Entry? {
    var entry = Entry()
    for (attribute, form) in shape.attributes {
      let place = cursor.offset
      guard let value = DebugShape.read(form, &cursor) else { return nil }
      switch attribute {
      case DebugShape.linkageName: entry.linkageName = place
      case DebugShape.declarationFile: entry.declarationFile = value
      case DebugShape.declarationLine: entry.declarationLine = value
      case DebugShape.lines: entry.lines = value
      default: break
      }
    }
    return entry
  }
}
