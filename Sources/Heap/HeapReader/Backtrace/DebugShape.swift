import MemlabHeapModel

/// Which attributes an entry of `.debug_info` has, and in which form each.
struct DebugShape {
  /// The attributes that matter here, by DWARF's numbers.
  static let lines: UInt = 0x10
  /// `DW_AT_decl_file`.
  static let declarationFile: UInt = 0x3A
  /// `DW_AT_decl_line`.
  static let declarationLine: UInt = 0x3B
  /// `DW_AT_linkage_name`.
  static let linkageName: UInt = 0x6E

  /// The attributes in order.
  private(set) var attributes: [(attribute: UInt, form: UInt)] = []

  /// The shapes of a unit by their codes, from `.debug_abbrev`.
  static func table(in section: UnsafeRawBufferPointer, at offset: Int) -> [UInt: DebugShape] {
    var cursor = ByteCursor(section, at: offset)
    var shapes: [UInt: DebugShape] = [:]
    while !cursor.isExhausted {
      let code = cursor.unsigned()
      if code == 0 { break }
      _ = cursor.unsigned()
      cursor.skip(1)
      var shape = DebugShape()
      while true {
        let (attribute, form) = (cursor.unsigned(), cursor.unsigned())
        if attribute == 0 && form == 0 || cursor.isExhausted { break }
        shape.attributes.append((attribute, form))
      }
      shapes[code] = shape
    }
    return shapes
  }

  /// Reads one value; 0 for one that is no number, nil for a form that isn't known.
  static func read(_ form: UInt, _ cursor: inout ByteCursor) -> Int? {
    switch form {
    case 0x0B, 0x0C, 0x11: return Int(cursor.byte())
    case 0x05, 0x12: return Int(cursor.read(UInt16.self))
    case 0x06, 0x0E, 0x10, 0x13, 0x17: return Int(cursor.read(UInt32.self))
    case 0x01, 0x07, 0x14, 0x20: return Int(truncatingIfNeeded: cursor.read(UInt64.self))
    case 0x0D: return cursor.signed()
    case 0x0F, 0x15: return Int(clamping: cursor.unsigned())
    case 0x19: return 1
    case 0x08: _ = cursor.string()
    case 0x0A: cursor.skip(Int(cursor.byte()))
    case 0x03: cursor.skip(Int(cursor.read(UInt16.self)))
    case 0x04: cursor.skip(Int(cursor.read(UInt32.self)))
    case 0x09, 0x18: cursor.skip(Int(clamping: cursor.unsigned()))
    default: return nil
    }
    return 0
  }
}
