import Glibc
import MemlabHeapModel

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
  func text(in section: UnsafeRawBufferPointer?, at offset: UInt32) -> String {
    guard let section else { return "" }
    var cursor = ByteCursor(section, at: Int(offset))
    return cursor.string()
  }
}

/// A line of a source file.
struct SourceLine {
  /// The file's name and the line.
  let location: CodeLocation
  /// Whether the file belongs to a package that was fetched.
  let isFetched: Bool
}

/// Finds the source line of an address from DWARF's `.debug_line` alone.
///
/// `.debug_info` would say which unit covers an address; reading it costs more than it gives.
/// Every run of code in a line program begins by setting its address and ends with an instruction
/// of its own, both easy to recognise: the runs are found once without decoding them, and only the
/// nearest one below an address is decoded.
final class LineTable: Sendable {
  private struct Sequence {
    let address: UInt
    let unit: Int
    let offset: Int
  }

  private let sections: LineSections
  private let units: [LineUnit]
  private let sequences: [Sequence]

  /// Indexes the file's line programs; nil when it has none.
  init?(_ file: ElfFile) {
    guard let sections = LineSections(file) else { return nil }
    let line = sections.line
    self.sections = sections
    var (units, sequences): ([LineUnit], [Sequence]) = ([], [])
    var offset = 0
    while let unit = LineUnit(in: line, at: offset) {
      sequences += LineTable.sequences(in: line, of: unit, number: units.count)
      units.append(unit)
      offset = unit.bounds.upperBound
    }
    (self.units, self.sequences) = (units, sequences)
  }

  /// The runs of a unit: each begins where the one before it ends with the bytes 0, 1, 1, and
  /// soon sets its address with 0, 9, 2 and eight bytes more.
  private static func sequences(
    in line: UnsafeRawBufferPointer, of unit: LineUnit, number: Int
  ) -> [Sequence] {
    let program = UnsafeRawBufferPointer(rebasing: line[unit.program])
    let (end, setAddress): ([UInt8], [UInt8]) = ([0, 1, 1], [0, 9, 2])
    let starts = [0] + ByteSearch.offsets(of: end, in: program).map { $0 + end.count }
    return starts.compactMap { start in
      let head = UnsafeRawBufferPointer(rebasing: program[start..<min(start + 32, program.count)])
      guard let place = ByteSearch.first(setAddress, in: head), place + 11 <= head.count else {
        return nil
      }
      let address = head.loadUnaligned(fromByteOffset: place + 3, as: UInt64.self)
      return Sequence(address: UInt(address), unit: number, offset: start + unit.program.lowerBound)
    }
  }

  /// The first line written by a person in a stretch of code.
  ///
  /// The compiler gives line 0, or a made-up file, to code of its own: a resume function often
  /// begins with some, and its first real line is that of the `await` (or `for await`) that
  /// suspended.
  ///
  /// - Parameter code: the addresses to look at, in the file's terms.
  func firstLine(in code: Range<UInt>) -> SourceLine? {
    var limit = code.lowerBound
    // The patterns also occur by chance in other operands: then the next candidate is tried.
    for _ in 0..<4 {
      guard let sequence = nearest(below: limit) else { return nil }
      if let rows = rows(of: sequence, covering: code) {
        return rows.lazy.compactMap { self.place($0, unit: sequence.unit) }.first
      }
      guard sequence.address > 0 else { return nil }
      limit = sequence.address - 1
    }
    return nil
  }

  private func nearest(below limit: UInt) -> Sequence? {
    sequences.withUnsafeBufferPointer { sequences in
      var (best, index): (Int?, Int) = (nil, 0)
      var nearest: UInt = 0
      while index < sequences.count {
        let address = sequences[index].address
        if address <= limit, address >= nearest { (best, nearest) = (index, address) }
        index += 1
      }
      return best.map { sequences[$0] }
    }
  }

  /// The rows that overlap the stretch; nil when the sequence ends before it.
  private func rows(of sequence: Sequence, covering code: Range<UInt>) -> [LineProgram.Row]? {
    var program = LineProgram(units[sequence.unit], in: sections.line, at: sequence.offset)
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

  private func place(_ row: LineProgram.Row, unit: Int) -> SourceLine? {
    units[unit].sourceLine(row.line, ofFile: row.file, in: sections)
  }
}
