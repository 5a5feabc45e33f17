package import Glibc

/// Finds symbols in the table of an ELF file.
package enum SymbolSearch {
  /// The function or variable that covers an address; of several, the one that begins nearest.
  ///
  /// All are looked at each time: that takes some 20 µs for 20,000 of them, less than sorting them for
  /// the few questions of a run.
  ///
  /// - Parameters:
  ///   - symbols: the table.
  ///   - target: the address, less the image's bias.
  ///   - prefers: whether a symbol stays the one where another begins at the same place.
  package static func nearest(
    in symbols: UnsafeBufferPointer<Elf64_Sym>, to target: UInt64, prefers: (Elf64_Sym) -> Bool
  ) -> Elf64_Sym? {
    var best: Elf64_Sym?
    var nearest: UInt64 = 0
    for symbol in symbols {
      let start = symbol.st_value
      guard start <= target, target &- start < symbol.st_size, start >= nearest,
        isCodeOrData(symbol)
      else { continue }
      if best.map({ start > nearest || !prefers($0) }) ?? true { best = symbol }
      nearest = start
    }
    return best
  }

  private static func isCodeOrData(_ symbol: Elf64_Sym) -> Bool {
    let type = symbol.st_info & 0xF
    return (type == 1 || type == 2) && symbol.st_shndx != 0
  }
}

/// A run of code in a line program of DWARF's `.debug_line`.
package struct LineRun: Sendable {
  /// Where its code begins.
  package let address: UInt
  /// Where its unit begins in the section.
  package let unit: Int
  /// Where its instructions begin in the section.
  package let offset: Int

  /// The runs of all units, in the order of their addresses, without decoding them.
  ///
  /// Each begins where the one before it ends with the bytes 0, 1, 1, and soon sets its address with 0, 9, 2 and
  /// eight bytes more. The patterns also occur by chance in operands.
  package static func all(in section: UnsafeRawBufferPointer) -> [LineRun] {
    var (runs, unit) = ([LineRun](), 0)
    while let program = program(ofUnitAt: unit, in: section) {
      var next: Int? = program.lowerBound
      while let start = next {
        let rest = UnsafeRawBufferPointer(rebasing: section[start..<program.upperBound])
        let head = UnsafeRawBufferPointer(rebasing: rest.prefix(32))
        if let place = ByteSearch.first([0, 9, 2], in: head), place + 11 <= head.count {
          let address = head.loadUnaligned(fromByteOffset: place + 3, as: UInt64.self)
          runs.append(LineRun(address: UInt(address), unit: unit, offset: start))
        }
        next = ByteSearch.first([0, 1, 1], in: rest).map { start + $0 + 3 }
      }
      unit = program.upperBound
    }
    return runs.map { UInt64($0.address) }.placesInOrder.map { runs[$0] }
  }

  // The instructions of a unit (DWARF 2 to 5, 32-bit); nil at the end, and where the format is not known.
  private static func program(
    ofUnitAt unit: Int, in section: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    guard unit + 12 <= section.count else { return nil }
    let end = unit + 4 + Int(section.loadUnaligned(fromByteOffset: unit, as: UInt32.self))
    let version = section.loadUnaligned(fromByteOffset: unit + 4, as: UInt16.self)
    let place = unit + (version == 5 ? 8 : 6)
    let length = Int(section.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    let start = place + 4 + length
    return (2...5).contains(version) && end <= section.count && start <= end ? start..<end : nil
  }
}

/// One unit of DWARF's `.debug_info` (DWARF 2 to 4, 32-bit), which describes functions and types.
package struct DebugUnit {
  /// Where the unit lies in the section.
  package let bounds: Range<Int>
  /// Where its shapes begin, in `.debug_abbrev`.
  package let abbreviations: Int
  private let info: UnsafeRawBufferPointer
  private let entries: Int

  /// What one entry says of a function, or of a call that was inlined.
  package struct Entry {
    /// Whether it is such a call.
    var isCall = false
    /// Where its linker name is noted.
    var linkageName = -1
    /// The number of the file that it is declared in, or called in; 0 where none is given.
    package var file = 0
    /// The line that it is declared at, or called at; 0 where none is given.
    package var line = 0
    /// Where the unit's line program begins; only the first entry says so.
    package var lines: Int?
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
  package init?(in info: UnsafeRawBufferPointer, at offset: Int) {
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
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: info[bounds]) }

  /// The first entry of the unit with each of those that note their linker name at one of some places.
  package func entries(
    namedAt places: Set<Int>, _ shapes: Shapes
  ) -> [(unit: Entry, function: Entry)] {
    var (found, last): ([(Entry, Entry)], Int) = ([], places.max() ?? -1)
    forEachEntry(shapes) { unit, entry, _ in
      if places.contains(entry.linkageName) { found.append((unit, entry)) }
      return entry.linkageName < last
    }
    return found
  }

  /// The first entry of the unit, and the outermost call in a function to whose code one of some addresses
  /// belongs; the next one in it for a forwarder.
  package func call(
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
    for (attribute, form, before) in shape.attributes {
      cursor.skip(before)
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
    cursor.skip(shape.rest)
    return entry
  }

  /// Of what kind an entry is, whether others follow that belong to it, and which attributes it has, in which
  /// form each. Those that nobody asks for are not read where their length is known.
  package struct Shape {
    /// Whether it is an inlined call.
    let isCall: Bool
    fileprivate let hasChildren: Bool
    // How many bytes there are before each and behind the last one.
    fileprivate var attributes: [(attribute: UInt16, form: UInt8, before: Int)] = []
    fileprivate var rest = 0
  }

  // `DW_TAG_compile_unit`, `DW_TAG_inlined_subroutine` and `DW_TAG_subprogram`, and what is asked of them.
  private static let kinds: Set<UInt> = [0x11, 0x1D, 0x2E]
  private static let asked: Set<UInt> = [0x6E, 0x3A, 0x58, 0x3B, 0x59, 0x10, 0x11, 0x12, 0x55]

  /// The shapes of a unit's entries by their codes.
  package typealias Shapes = [UInt: Shape]

  /// Reads a table of `.debug_abbrev`, as far as it is understood.
  package static func shapes(in table: UnsafeRawBufferPointer) -> Shapes {
    var (cursor, shapes) = (ByteCursor(table), Shapes())
    while !cursor.isExhausted {
      let code = cursor.unsigned()
      if code == 0 { break }
      let kind = cursor.unsigned()
      var shape = Shape(isCall: kind == 0x1D, hasChildren: cursor.byte() != 0)
      while true {
        let (attribute, form) = (cursor.unsigned(), cursor.unsigned())
        if attribute == 0 && form == 0 || cursor.isExhausted { break }
        let isAsked = kinds.contains(kind) && asked.contains(attribute)
        if !isAsked, let size = ByteCursor.size(of: form) {
          shape.rest += size
          continue
        }
        shape.attributes.append((.init(clamping: attribute), .init(clamping: form), shape.rest))
        shape.rest = 0
      }
      shapes[code] = shape
    }
    return shapes
  }
}
