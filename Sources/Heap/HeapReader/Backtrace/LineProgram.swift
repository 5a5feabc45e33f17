import MemlabHeapModel

/// Runs the line program of one unit: a small machine whose rows tie addresses to lines.
struct LineProgram {
  /// One row of the table: from this address on, code comes from that line.
  struct Row {
    /// The first instruction that the row is about.
    var address: UInt
    /// The number of the file.
    var file: Int
    /// The line; 0 for code that no line was written for.
    var line: Int
    /// The row ends a run of code; its address is the first one outside.
    var endsSequence: Bool
  }

  private let unit: LineUnit
  private var cursor: ByteCursor
  private var row = Row(address: 0, file: 1, line: 1, endsSequence: false)

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
      if opcode == 0 {
        if extended() { return finish() }
      } else if opcode == 1 {
        return row
      } else {
        standard(opcode)
      }
    }
    return nil
  }

  private mutating func finish() -> Row {
    var last = row
    last.endsSequence = true
    row = Row(address: 0, file: 1, line: 1, endsSequence: false)
    return last
  }

  private mutating func advance(special opcode: Int, movesLine: Bool) {
    row.address &+= UInt(opcode / unit.lineRange) &* unit.minimumInstructionLength
    if movesLine { row.line &+= unit.lineBase + opcode % unit.lineRange }
  }

  /// Returns whether the sequence ends here.
  private mutating func extended() -> Bool {
    let end = cursor.unsigned() &+ UInt(cursor.offset)
    let opcode = cursor.byte()
    if opcode == 2 { row.address = UInt(cursor.read(UInt64.self)) }
    cursor.offset = Int(clamping: end)
    return opcode == 1
  }

  private mutating func standard(_ opcode: UInt8) {
    switch opcode {
    case 2: row.address &+= cursor.unsigned() &* unit.minimumInstructionLength
    case 3: row.line &+= cursor.signed()
    case 4: row.file = Int(clamping: cursor.unsigned())
    case 8: advance(special: 255 - Int(unit.opcodeBase), movesLine: false)
    case 9: row.address &+= UInt(cursor.read(UInt16.self))
    default:
      for _ in 0..<unit.operandCounts[Int(opcode) - 1] { _ = cursor.unsigned() }
    }
  }
}
