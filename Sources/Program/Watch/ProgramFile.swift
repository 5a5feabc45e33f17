package import MemlabTerminalText

/// The file of a program, as far as it tells whether the program can be watched.
///
/// Reads the headers of an ELF file, see https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html.
/// Nothing in the file is believed: what lies outside of it counts as missing.
package struct ProgramFile {
  /// What the dynamic loader is to load for it, by name.
  package private(set) var libraries: [String] = []
  /// The path of its dynamic loader; nil where it needs none.
  package private(set) var loader: String?
  /// The names of its sections.
  package private(set) var sections: Set<String> = []
  /// The processor that it is for, as `e_machine` has it.
  package private(set) var machine: UInt16 = 0

  /// Whether the product MemlabAgent is linked into it: then nothing has to be preloaded.
  package var linksAgent: Bool { sections.contains(".note.memlab") }

  private let bytes: Data

  /// Why a file is no program that can be read here.
  package enum Failure: Error {
    /// There is no such file, or it may not be read.
    case unreadable
    /// An interpreter runs it.
    case script
    /// It is something else, or for another processor.
    case other
  }

  /// Reads a file.
  package init(path: String) throws(Failure) {
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
      throw .unreadable
    }
    try self.init(bytes: data)
  }

  /// Reads the bytes of a file.
  package init(bytes: Data) throws(Failure) {
    self.bytes = bytes
    if bytes.starts(with: "#!".utf8) { throw .script }
    // 64 bits, and the order of bytes that x86-64 and arm64 have.
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let machine = number(18, UInt16.self)
    else { throw .other }
    self.machine = machine
    readSegments()
    readSections()
  }

  private func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + size].reversed()
      .reduce(Number(0)) { $0 << 8 | Number($1) }
  }

  private func offset(_ place: Int) -> Int? {
    number(place, UInt64.self).flatMap(Int.init(exactly:))
  }

  // Places in a file that somebody has made to do harm need not be places in it.
  private func sum(_ one: Int, _ other: Int) -> Int? {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? nil : sum
  }

  private func text(_ offset: Int) -> String? {
    guard offset >= 0, offset < bytes.count else { return nil }
    let text = bytes[(bytes.startIndex + offset)...].prefix(4096).prefix { $0 != 0 }
    return String(decoding: text, as: UTF8.self)
  }

  // The addresses that a segment has in memory, and where they are in the file.
  private typealias Segment = (address: Int, size: Int, offset: Int)

  private mutating func readSegments() {
    guard let table = offset(32), let size = number(54, UInt16.self),
      let count = number(56, UInt16.self)
    else { return }
    var loaded: [Segment] = []
    var dynamic: Int?
    for index in 0..<Int(count) {
      guard let header = sum(table, index * Int(size)),
        let kind = number(header, UInt32.self), let offset = offset(header + 8),
        let address = self.offset(header + 16), let size = self.offset(header + 32)
      else { return }
      if kind == 1 { loaded.append((address, size, offset)) }
      if kind == 2 { dynamic = offset }
      if kind == 3 { loader = text(offset) }
    }
    if let dynamic { readLibraries(dynamic, loaded) }
  }

  private mutating func readLibraries(_ dynamic: Int, _ loaded: [Segment]) {
    var (names, table, place): ([Int], Int?, Int) = ([], nil, dynamic)
    // No program needs as many as this.
    while names.count < 4096, let tag = number(place, UInt64.self), tag != 0,
      let value = offset(place + 8)
    {
      if tag == 1 { names.append(value) }
      if tag == 5 { table = value }
      place += 16
    }
    guard let table else { return }
    let strings = loaded.first { $0.address <= table && table - $0.address < $0.size }
      .flatMap { sum(table - $0.address, $0.offset) }
    if let strings { libraries = names.compactMap { sum(strings, $0).flatMap(text) } }
  }

  private mutating func readSections() {
    guard let table = offset(40), let size = number(58, UInt16.self),
      let count = number(60, UInt16.self), let last = number(62, UInt16.self),
      let names = sum(table, Int(last) * Int(size) + 24).flatMap(offset)
    else { return }
    for index in 0..<Int(count) {
      let name = sum(table, index * Int(size)).flatMap { number($0, UInt32.self) }
      if let text = name.flatMap({ sum(names, Int($0)) }).flatMap(text) { sections.insert(text) }
    }
  }
}

extension ProgramFile {
  /// The library among some that brings an allocator: the recorder would stand before it, and one
  /// would be given blocks of the other.
  ///
  /// - Parameter paths: the libraries' names, or their paths.
  package static func allocator(among paths: [String]) -> String? {
    let known = ["libjemalloc", "libtcmalloc", "libmimalloc", "libhoard", "libsnmalloc"]
    return paths.first { path in
      let name = path.split(separator: "/").last ?? ""
      return known.contains { name.hasPrefix($0) }
    }
  }

  /// Why the program cannot be watched, as a sentence about it; nil where it can.
  ///
  /// - Parameter machine: the processor that memlab is for.
  package func obstacle(machine: UInt16) -> String? {
    if self.machine != machine { return "is built for another processor" }
    let hasSwift = sections.contains { $0.hasPrefix("swift5_") }
    guard let loader else {
      return hasSwift
        ? "is linked statically; build it with --static-swift-stdlib instead of --static-executable"
        : "is linked statically, and has no Swift in it"
    }
    if loader.contains("ld-musl") { return "is built for musl; only glibc is supported" }
    // At its first allocation, the agent chooses glibc's allocator if the environment asks for a record.
    if linksAgent { return nil }
    if let other = Self.allocator(among: libraries) {
      return
        "is linked with another allocator, \(quotedPath(other)); link it without to watch it, or "
        + Self.linking
    }
    if libraries.contains(where: { $0.hasPrefix("libswiftCore.so") }) { return nil }
    return hasSwift
      ? "has a static Swift runtime, so nothing can be preloaded into it; " + Self.linking
      : "has no Swift in it"
  }

  private static let linking = """
    link the product MemlabAgent into it: in its Package.swift, add \
    .package(url: "…/memlab", from: "…") to the dependencies of the package, and \
    .product(name: "MemlabAgent", package: "memlab") to those of the target
    """
}
