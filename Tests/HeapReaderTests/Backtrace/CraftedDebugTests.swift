import Glibc
import MemlabHeapModel
import MemlabHeapReader
import MemlabKit
import TestSupport
import Testing

/// What is read of a file with debug information that somebody has made to do harm.
@Suite("Crafted debug information") struct CraftedDebugTests {
  @Test("is read or passed over") func crafted() async {
    await #expect(processExitsWith: .success, "\(Crafted.note("dwarf"))") {
      var named = 0
      _ = Crafted.read("dwarf") { generator in
        var file = CraftedDebug(using: &generator).file
        file.spoil(0...2, using: &generator)
        if CraftedDebugTests.read(file.bytes) != nil { named += 1 }
      }
      precondition(named > Crafted.count / 20)
    }
  }

  @Test("has lines and declarations where nothing is spoilt") func sound() {
    var generator = SplitMix64(seed: 0)
    let found = Self.read(CraftedDebug(using: &generator, isSound: true).file.bytes)
    #expect(found?.location == CodeLocation(file: "Screen.swift", line: 7))
  }

  // What was found: none ever ended, or only after hours.
  @Test("ends where a length leads back, where a row has no columns, and where units share a table")
  func endless() async {
    await #expect(processExitsWith: .success) {
      alarm(20)
      CraftedDebugTests.read(CraftedDebug.file(lines: NumberedBytes(), units: 100_000).bytes)
      var (back, empty) = (CraftedDebug.sequence(from: 0x1000), NumberedBytes())
      back.append([0])
      back.append(variable: 0 &- 11)
      empty.append([0])
      empty.append(variable: .max)
      for (version, names) in [(4, CraftedDebug.names), (5, empty)] as [(UInt16, NumberedBytes)] {
        let unit = CraftedDebug.unit(version: version, header: names, program: back)
        CraftedDebugTests.read(CraftedDebug.file(lines: unit).bytes)
      }
    }
  }

  @Test("gives a function no more code than addresses go") func symbols() {
    let file = CraftedDebug.file(lines: NumberedBytes(), size: .max)
    let entry = Self.opened(file.bytes) { SymbolTable($0)?.entry(covering: 0x1004) }
    #expect(entry?.mangledName == "$s3App6ScreenC4showyyF")
    #expect(entry.map { $0.start.addingReportingOverflow($0.size).overflow } == false)
  }

  /// Asks for all that is asked of a file.
  ///
  /// - Returns: a line, where one was found.
  @discardableResult static func read(_ bytes: [UInt8]) -> SourceLine? {
    opened(bytes) { file in
      let line = LineTable(file)?.firstLine(in: 0x1000..<0x1010)?.line
      _ = SymbolTable(file)?.entry(covering: 0x1004).map { $0.start + $0.size }
      let debug = DebugInformation(file)
      _ = debug?.line(ofCallAt: [0x1004], inFunctionAt: 0x1000, isForwarder: false)
      return debug?.declaration(of: "$s3App6ScreenC4showyyF") ?? line
    }
  }

  private static func opened<Found>(_ bytes: [UInt8], _ body: (ElfFile) -> Found?) -> Found? {
    bytes.withUnsafeBytes { ElfFile(bytes: $0).flatMap(body) }
  }
}

/// Debug information of one function of one file, as https://dwarfstd.org/doc/DWARF5.pdf has it. All
/// lengths are right; the instructions and their operands may be anything.
struct CraftedDebug {
  /// The file that has it.
  let file: NumberedBytes

  /// Makes it.
  ///
  /// - Parameter isSound: whether nothing is left to chance.
  init(using generator: inout SplitMix64, isSound: Bool = false) {
    var program = Self.sequence(from: 0x1000)
    for _ in 0..<(isSound ? 0 : Int.random(in: 0...20, using: &generator)) {
      Self.addInstruction(to: &program, using: &generator)
    }
    program.append([0, 1, 1])
    let isNew = !isSound && Bool.random(using: &generator)
    let version: UInt16 = isNew ? 5 : 4
    let header = isNew ? Self.newNames(using: &generator) : Self.names
    var lines = Self.unit(version: version, header: header, program: program)
    if !isSound, Bool.random(using: &generator) { lines.append(lines) }
    file = Self.file(lines: lines)
  }

  private static func addInstruction(
    to program: inout NumberedBytes, using generator: inout SplitMix64
  ) {
    let operand = Crafted.number(near: program.bytes.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: program.append(UInt8.random(in: 13...255, using: &generator))
    case 1:
      program.append([0])
      program.append(variable: operand)
      program.append(UInt8.random(in: 0...4, using: &generator))
    default:
      program.append(UInt8.random(in: 1...12, using: &generator))
      program.append(variable: operand)
    }
  }

  /// Sets an address and a line, and adds a row.
  static func sequence(from address: UInt64) -> NumberedBytes {
    var program = NumberedBytes()
    program.append([0, 9, 2])
    program.append(address)
    // Line 7, one row, and another one sixteen bytes on.
    program.append([3, 6, 1, 2, 16, 1])
    return program
  }

  /// The tables of folders and files up to DWARF 4.
  static var names: NumberedBytes {
    var names = NumberedBytes()
    for text in ["Sources", "", "Screen.swift"] { names.append(text) }
    for number in [1, 0, 0] as [UInt64] { names.append(variable: number) }
    names.append("")
    return names
  }

  // Folders and files with columns of any form.
  private static func newNames(using generator: inout SplitMix64) -> NumberedBytes {
    var names = NumberedBytes()
    for _ in 0..<2 {
      let forms: [UInt64] = [0x08, 0x1F, 0x0B, 0x0F, 0x1E, 0x09, 0x0E, 0x05]
      let columns = (0..<Int.random(in: 0...3, using: &generator)).map { column in
        column == 0 ? 0x08 : forms.randomElement(using: &generator) ?? 0x08
      }
      names.append(UInt8(columns.count))
      for (index, form) in columns.enumerated() {
        for number in [UInt64(index + 1), form] { names.append(variable: number) }
      }
      let isRight = Bool.random(using: &generator)
      names.append(variable: isRight ? 2 : Crafted.number(near: 2, using: &generator))
      for _ in 0..<2 {
        for form in columns {
          if form == 0x08 { names.append("Screen.swift") } else { names.append(UInt32(1)) }
        }
      }
    }
    return names
  }

  /// A unit of `.debug_line`.
  static func unit(
    version: UInt16, header: NumberedBytes, program: NumberedBytes
  ) -> NumberedBytes {
    var (rest, unit) = (NumberedBytes(), NumberedBytes())
    for byte: UInt8 in [1, 1, 1, UInt8(bitPattern: -5), 14, 13] { rest.append(byte) }
    for count: UInt8 in [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1] { rest.append(count) }
    rest.append(header)
    unit.append(UInt32((version == 5 ? 8 : 6) + rest.bytes.count + program.bytes.count))
    unit.append(version)
    if version == 5 { unit.append([8, 0]) }
    unit.append(UInt32(rest.bytes.count))
    unit.append(rest)
    unit.append(program)
    return unit
  }

  /// A file with these lines, one function, and what is said of it, in one unit or more.
  static func file(lines: NumberedBytes, size: UInt64 = 16, units: Int = 1) -> NumberedBytes {
    let name = "$s3App6ScreenC4showyyF"
    var (strings, shapes, info) = (NumberedBytes(), NumberedBytes(), NumberedBytes())
    for text in ["", name] { strings.append(text) }
    // The unit has the place of its lines; the function a name, a file and a line.
    shapes.append([1, 0x11, 1, 0x10, 0x17, 0, 0])
    shapes.append([2, 0x2E, 0, 0x6E, 0x0E, 0x3A, 0x0B, 0x3B, 0x0B, 0, 0])
    for _ in 0..<units {
      info.append(UInt32(20))
      // The version, where the shapes are, the size of an address, and the two entries.
      info.append([4, 0, 0, 0, 0, 0, 8, 1, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1, 7, 0])
      shapes.append([3, 0x1D, 0, 0, 0])
    }
    shapes.append([0])
    var symbols = NumberedBytes()
    for value: UInt32 in [1, 0x1_0012] { symbols.append(value) }
    for word: UInt64 in [0x1000, size] { symbols.append(word) }
    var code = NumberedBytes()
    code.append([UInt8](repeating: 0x90, count: 16))
    return CraftedElf([
      (".text", code), (".symtab", symbols), (".strtab", strings), (".debug_str", strings),
      (".debug_line_str", strings), (".debug_line", lines), (".debug_abbrev", shapes),
      (".debug_info", info),
    ]).file
  }
}
