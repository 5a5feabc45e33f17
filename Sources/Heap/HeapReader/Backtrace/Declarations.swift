import MemlabHeapModel

/// Finds the line that a function is written at, from DWARF's `.debug_info`.
///
/// The line table alone would not do: with optimisation, the first instruction of a function may
/// come from one that was inlined into it, and a function that was inlined itself has none.
struct Declarations: Sendable {
  nonisolated(unsafe) private let info: UnsafeRawBufferPointer
  nonisolated(unsafe) private let abbreviations: UnsafeRawBufferPointer
  nonisolated(unsafe) private let strings: UnsafeRawBufferPointer
  private let lines: LineSections

  /// Opens the file's sections; nil when it has no debug information.
  init?(_ file: ElfFile) {
    guard let info = file.section(named: ".debug_info"),
      let abbreviations = file.section(named: ".debug_abbrev"),
      let strings = file.section(named: ".debug_str"), let lines = LineSections(file)
    else { return nil }
    (self.info, self.abbreviations, self.strings) = (info, abbreviations, strings)
    self.lines = lines
  }

  /// Where a function is written: for a closure, the line of its opening brace.
  ///
  /// Names are stored once and noted by their offsets, so that all places which may name the
  /// function are found without decoding anything; then one unit is decoded as far as it names it.
  ///
  /// - Parameter name: the function's, as the linker has it.
  func line(of name: String) -> SourceLine? {
    guard let string = ByteSearch.first([0] + Array(name.utf8) + [0], in: strings) else {
      return nil
    }
    let offset = withUnsafeBytes(of: UInt32(string + 1).littleEndian) { Array($0) }
    let places = ByteSearch.offsets(of: offset, in: info)
    var start = 0
    for place in places {
      while let unit = DebugUnit(in: info, at: start) {
        if unit.bounds.contains(place) {
          if let line = line(in: unit, namedAt: place) { return line }
          break
        }
        start = unit.bounds.upperBound
      }
    }
    return nil
  }

  private func line(in unit: DebugUnit, namedAt place: Int) -> SourceLine? {
    guard let (unit, function) = unit.entries(namedAt: place, abbreviatedIn: abbreviations),
      let program = unit.lines
    else { return nil }
    return LineUnit(in: lines.line, at: program)?.sourceLine(
      function.declarationLine, ofFile: function.declarationFile, in: lines)
  }
}
