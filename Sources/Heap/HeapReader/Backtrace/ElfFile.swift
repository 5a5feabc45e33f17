import Glibc
import MemlabHeapScan

/// The file of an executable or shared library, mapped for reading.
///
/// Only 64-bit little-endian ELF is understood. Every offset found in the file is checked against
/// its size. The mapping stays for the life of the process, as the symbolizer that owns it does.
package final class ElfFile: Sendable {
  nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
  // What the bytes are read from when somebody asks for them; negative where they are mapped.
  private let source: Int32

  /// Opens the file; nil when it can't be opened or isn't such an ELF file.
  ///
  /// - Parameter isLoaded: whether the file is of the program that runs, and mapped. Any other is
  ///   read: a mapped file that somebody cuts short ends the process that touches its end.
  package init?(path: String, isLoaded: Bool = true) {
    // To open a pipe would wait for its other end.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if isLoaded { close(file) } }
    var status = stat()
    let isFile = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let size = isFile ? Int(status.st_size) : 0
    let start =
      isLoaded
      ? mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0)
      : mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let isThere = start != MAP_FAILED
    bytes = UnsafeRawBufferPointer(start: isThere ? start : nil, count: isThere ? size : 0)
    source = isLoaded ? -1 : file
    load(0, min(bytes.count, MemoryLayout<Elf64_Ehdr>.size))
    guard Self.isELF(bytes) else {
      if isLoaded { munmap(start, size) }
      return nil
    }
  }

  /// The file that has these bytes, which must stay; nil when it isn't such an ELF file.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard Self.isELF(bytes) else { return nil }
    (self.bytes, source) = (bytes, -1)
  }

  private static func isELF(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count > MemoryLayout<Elf64_Ehdr>.size
      && bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
  }

  deinit {
    guard source >= 0 else { return }
    close(source)
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// Whether a file is the program as it was before it was stripped, or the same file.
  ///
  /// - Parameter path: the program's file.
  package static func isUnstripped(_ file: String, of path: String) -> Bool {
    let files = [file, path].compactMap { ElfFile(path: $0, isLoaded: false) }
    return withExtendedLifetime(files) {
      let code = files.compactMap { $0.section(named: ".text") }
      guard code.count == 2, code[0].count == code[1].count, let first = code[0].baseAddress,
        let second = code[1].baseAddress
      else { return false }
      return memcmp(first, second, code[0].count) == 0
    }
  }

  /// The contents of the first section of that name; nil when there is none.
  ///
  /// Sections without contents and compressed ones (of debug information) count as absent.
  func section(named name: String) -> UnsafeRawBufferPointer? {
    let header = bytes.loadUnaligned(as: Elf64_Ehdr.self)
    guard let names = sectionHeader(Int(header.e_shstrndx)).flatMap(contents) else { return nil }
    let sought = Array(name.utf8) + [0]
    for index in 0..<Int(header.e_shnum) {
      guard let candidate = sectionHeader(index), Int(candidate.sh_name) < names.count else {
        continue
      }
      if names[Int(candidate.sh_name)...].starts(with: sought) { return contents(of: candidate) }
    }
    return nil
  }

  private func sectionHeader(_ index: Int) -> Elf64_Shdr? {
    let header = bytes.loadUnaligned(as: Elf64_Ehdr.self)
    let size = MemoryLayout<Elf64_Shdr>.size
    guard header.e_shentsize == size, header.e_shoff < UInt64(bytes.count) else { return nil }
    let offset = Int(header.e_shoff) + index * size
    guard offset + size <= bytes.count else { return nil }
    load(offset, size)
    return bytes.loadUnaligned(fromByteOffset: offset, as: Elf64_Shdr.self)
  }

  private func contents(of header: Elf64_Shdr) -> UnsafeRawBufferPointer? {
    let (compressed, noBits): (UInt64, UInt32) = (0x800, 8)
    guard header.sh_flags & compressed == 0, header.sh_type != noBits,
      header.sh_offset <= UInt64(bytes.count),
      header.sh_size <= UInt64(bytes.count) - header.sh_offset
    else { return nil }
    let start = Int(header.sh_offset)
    load(start, Int(header.sh_size))
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(header.sh_size)])
  }

  private func load(_ offset: Int, _ count: Int) {
    guard source >= 0, let start = bytes.baseAddress else { return }
    _ = pread(source, UnsafeMutableRawPointer(mutating: start + offset), count, off_t(offset))
  }
}

/// Finds the function or variable that covers an address of one image.
///
/// Closures and the parts of async functions are local symbols: they are in `.symtab`, which is
/// not loaded with the program. A stripped file has only `.dynsym`, the exported names.
package final class SymbolTable: Sendable {
  /// A symbol as the file has it.
  package struct Entry: Sendable {
    /// The name the linker knows.
    package let mangledName: String
    /// Where it starts and how many bytes it covers, in the file's addresses.
    package let start: UInt
    /// In bytes.
    package let size: UInt
    /// Whether it names data, not code.
    let isData: Bool
  }

  nonisolated(unsafe) private let symbols: UnsafeBufferPointer<Elf64_Sym>
  nonisolated(unsafe) private let names: UnsafeRawBufferPointer

  /// Opens the fuller of the file's two tables; nil when it has neither.
  package init?(_ file: ElfFile) {
    let local = (file.section(named: ".symtab"), file.section(named: ".strtab"))
    let exported = (file.section(named: ".dynsym"), file.section(named: ".dynstr"))
    guard let table = local.0 ?? exported.0,
      let names = local.0 == nil ? exported.1 : local.1,
      Int(bitPattern: table.baseAddress) % MemoryLayout<Elf64_Sym>.alignment == 0
    else { return nil }
    symbols = table.bindMemory(to: Elf64_Sym.self)
    self.names = names
  }

  /// The symbol that covers an address; among aliases, a Swift name wins.
  ///
  /// - Parameter address: in the file's terms, that is, less the image's bias.
  package func entry(covering address: UInt) -> Entry? {
    let best = SymbolSearch.nearest(in: symbols, to: UInt64(address), prefers: isSwift)
    guard let best, best.st_name < names.count else { return nil }
    var name = ByteCursor(names, at: Int(best.st_name))
    // No function is larger than what a process can have; its end is a sum.
    return Entry(
      mangledName: name.string(), start: UInt(best.st_value),
      size: UInt(min(best.st_size, 1 << 47)), isData: best.st_info & 0xF == 1)
  }

  private func isSwift(_ symbol: Elf64_Sym) -> Bool {
    let start = Int(symbol.st_name)
    guard start + 2 < names.count else { return false }
    return names[start] == UInt8(ascii: "$") && names[start + 1] == UInt8(ascii: "s")
  }
}
