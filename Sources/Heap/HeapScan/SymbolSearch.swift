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
