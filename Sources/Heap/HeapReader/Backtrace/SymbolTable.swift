import Glibc
import MemlabHeapModel

/// Finds the function or variable that covers an address of one image.
///
/// Closures and the parts of async functions are local symbols: they are in `.symtab`, which is
/// not loaded with the program. A stripped file has only `.dynsym`, the exported names.
final class SymbolTable: Sendable {
  /// A symbol as the file has it.
  struct Entry: Sendable {
    /// The name the linker knows.
    let mangledName: String
    /// Where it starts and how many bytes it covers, in the file's addresses.
    let start: UInt
    /// In bytes.
    let size: UInt
    /// Whether it names data, not code.
    let isData: Bool
  }

  nonisolated(unsafe) private let symbols: UnsafeBufferPointer<Elf64_Sym>
  nonisolated(unsafe) private let names: UnsafeRawBufferPointer

  /// Opens the fuller of the file's two tables; nil when it has neither.
  init?(_ file: ElfFile) {
    let local = (file.section(named: ".symtab"), file.section(named: ".strtab"))
    let exported = (file.section(named: ".dynsym"), file.section(named: ".dynstr"))
    guard let table = local.0 ?? exported.0,
      let names = local.0 == nil ? exported.1 : local.1,
      Int(bitPattern: table.baseAddress) % MemoryLayout<Elf64_Sym>.alignment == 0
    else { return nil }
    symbols = table.bindMemory(to: Elf64_Sym.self)
    self.names = names
  }

  /// The symbol that covers an address.
  ///
  /// The nearest start wins; among aliases, a Swift name does. All symbols are looked at each time:
  /// that takes some 20 µs for 20,000 of them, less than sorting them for the few questions of a
  /// run.
  ///
  /// - Parameter address: in the file's terms, that is, less the image's bias.
  func entry(covering address: UInt) -> Entry? {
    let (table, count) = (symbols, symbols.count)
    let target = UInt64(address)
    var best: Elf64_Sym?
    var (nearest, index): (UInt64, Int) = (0, 0)
    while index < count {
      let start = table[index].st_value
      if start <= target && target &- start < table[index].st_size && start >= nearest
        && isCodeOrData(table[index])
      {
        if best == nil || start > nearest || !isSwift(best) { best = table[index] }
        nearest = start
      }
      index &+= 1
    }
    guard let best, let name = name(of: best) else { return nil }
    return Entry(
      mangledName: name, start: UInt(best.st_value), size: UInt(best.st_size),
      isData: best.st_info & 0xF == 1)
  }

  private func isCodeOrData(_ symbol: Elf64_Sym) -> Bool {
    let type = symbol.st_info & 0xF
    return (type == 1 || type == 2) && symbol.st_shndx != 0
  }

  private func isSwift(_ symbol: Elf64_Sym?) -> Bool {
    guard let start = symbol.map({ Int($0.st_name) }), start + 2 < names.count else { return false }
    return names[start] == UInt8(ascii: "$") && names[start + 1] == UInt8(ascii: "s")
  }

  private func name(of symbol: Elf64_Sym) -> String? {
    let start = Int(symbol.st_name)
    guard start < names.count, let base = names.baseAddress else { return nil }
    let length = strnlen((base + start).assumingMemoryBound(to: CChar.self), names.count - start)
    return String(decoding: names[start..<start + length], as: UTF8.self)
  }
}
