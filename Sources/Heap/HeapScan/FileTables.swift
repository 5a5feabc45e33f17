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
        let head = start..<min(start + 32, program.upperBound)
        if let place = first(0, 9, 2, in: head, of: section), place + 11 <= head.upperBound {
          let address = section.loadUnaligned(fromByteOffset: place + 3, as: UInt64.self)
          runs.append(LineRun(address: UInt(address), unit: unit, offset: start))
        }
        next = first(0, 1, 1, in: start..<program.upperBound, of: section).map { $0 + 3 }
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

  private static func first(
    _ first: UInt8, _ second: UInt8, _ third: UInt8, in range: Range<Int>,
    of section: UnsafeRawBufferPointer
  ) -> Int? {
    var place = range.lowerBound
    while place + 3 <= range.upperBound {
      if section[place] == first && section[place + 1] == second && section[place + 2] == third {
        return place
      }
      place += 1
    }
    return nil
  }
}
