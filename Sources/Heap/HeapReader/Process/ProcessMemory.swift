import CMemlabProcess
import Glibc
import MemlabRuntimeABI

/// Memory that cannot be read, or that does not hold what was expected there.
package struct Unreadable: Error {}

/// The way to memory whose address is known and whose extent is not: metadata, descriptors, names.
///
/// An address is looked up in the loaded images, then among the recorded blocks; the kernel is asked
/// about others. What the words of a recorded block are is read from its ``Region`` instead.
package final class ProcessMemory {
  /// What is loaded.
  let segments: LoadedSegments
  /// The recorded blocks.
  let blocks: BlockList
  /// The shapes of types that were read here or before.
  var known = KnownShapes()
  // The readable mappings, as they were listed last. Asked only about addresses outside the loaded images
  // and the recorded blocks: generic metadata that was made before recording began.
  private var maps: [Range<UInt>] = []
  private var readablePages: Set<UInt> = []
  private var latest = Region(proven: 0, count: 0)
  // Metadata of types by address, and whether it was seen to be that.
  private var types: [UInt: Bool] = [:]

  /// The memory around some recorded blocks, those that are recorded now where none are given.
  package init(blocks: BlockList = BlockList(), segments: LoadedSegments = .current()) {
    (self.blocks, self.segments) = (blocks, segments)
  }

  /// The stretch that some bytes lie in.
  ///
  /// - Throws: ``Unreadable`` where they cannot all be read.
  package func region(at address: UInt, count: UInt) throws(Unreadable) -> Region {
    if latest.contains(address, count: count) { return latest }
    guard let found = find(address, count), found.contains(address, count: count) else {
      throw Unreadable()
    }
    latest = found
    return found
  }

  /// The 8 bytes at an address.
  package func word(_ address: UInt) throws(Unreadable) -> UInt {
    try some(region(at: address, count: 8).word(at: address))
  }

  /// The 4 bytes at an address.
  func uint32(_ address: UInt) throws(Unreadable) -> UInt32 {
    try some(region(at: address, count: 4).uint32(at: address))
  }

  /// Whether a bit is set in the 4 bytes at an address.
  func isSet(_ bit: UInt32, at address: UInt) throws(Unreadable) -> Bool {
    try uint32(address) >> bit & 1 == 1
  }

  /// The address that a 32-bit offset relative to its own place means; zero for a null offset.
  func relative(_ address: UInt) throws(Unreadable) -> UInt {
    try some(region(at: address, count: 4).relative(at: address))
  }

  /// The zero-terminated text at an address.
  func text(_ address: UInt) throws(Unreadable) -> String {
    try some(region(at: address, count: 1).text(at: address))
  }

  /// The segment of a loaded image that some bytes lie in. What the compiler has written lies there;
  /// some linkers put descriptors among the data that may be written to.
  func image(at address: UInt, count: UInt) throws(Unreadable) -> Region {
    guard let segment = segments.segment(at: address),
      segment.region.contains(address, count: count)
    else { throw Unreadable() }
    return segment.region
  }

  /// Whether metadata of a type is at an address. It is asked for with every type that the runtime
  /// is to be asked about.
  func isType(_ metadata: UInt) -> Bool {
    if let known = types[metadata] { return known }
    let answer = (try? checkType(metadata)) ?? false
    types[metadata] = answer
    return answer
  }

  private func find(_ address: UInt, _ count: UInt) -> Region? {
    guard Region.isAddress(address), count <= 1 << 30 else { return nil }
    if let segment = segments.segment(at: address) { return segment.region }
    let block = blocks.index(containing: address)
    if block >= 0 { return blocks.region(block) }
    // While the heap is read, the runtime makes metadata, also where no memory was when the mappings
    // were listed. The kernel knows; where it does not tell, they are listed again.
    let region = mapping(at: address).flatMap { $0.contains(address, count: count) ? $0 : nil }
    return region == nil && count > 4096
      ? listed(address, count) : pages(of: address, count, in: region)
  }

  // Threads' stacks have a page in them that cannot be read and that no listing shows: glibc 2.42 and
  // later mark it with `MADV_GUARD_INSTALL` where Linux 6.13 and later have that. So the kernel is
  // asked about each page, once.
  private func pages(of address: UInt, _ count: UInt, in region: Region?) -> Region? {
    let size = UInt(getpagesize())
    let (first, last) = (address / size, (address + max(count, 1) - 1) / size)
    for page in first...last where !readablePages.contains(page) {
      let answer = MemoryCopy.isReadable(page * size)
      if answer == nil, region == nil { return listed(address, count) }
      guard answer != false else { return nil }
      readablePages.insert(page)
    }
    let start = max(first * size, region?.start ?? 0)
    return Region(proven: start, count: min((last + 1) * size, region?.end ?? .max) - start)
  }

  private func listed(_ address: UInt, _ count: UInt) -> Region? {
    maps = ProcessFiles.mappings().filter(\.isReadable).map(\.range)
    readablePages = []
    return mapping(at: address).flatMap { pages(of: address, count, in: $0) }
  }

  private func mapping(at address: UInt) -> Region? {
    maps.first { $0.contains(address) }
      .map { Region(proven: $0.lowerBound, count: $0.upperBound - $0.lowerBound) }
  }

  private func some<Value>(_ value: Value?) throws(Unreadable) -> Value {
    guard let value else { throw Unreadable() }
    return value
  }

  // Without the witness table, or with one whose functions are no code, it is something else.
  private func checkType(_ metadata: UInt) throws(Unreadable) -> Bool {
    guard metadata & 7 == 0, metadata != 0 else { return false }
    let kind = try word(metadata)
    let table = try word(metadata &- abi.metadata.witnesses)
    if table != 0 { guard try isWitnessTable(table) else { return false } }
    switch kind {
    case abi.kind.structure, abi.kind.enumeration, abi.kind.optional:
      let descriptor = try word(metadata &+ abi.type.descriptor)
      let flags = try image(at: descriptor, count: abi.type.fieldOffsets + 4).uint32(at: descriptor)
      let expected = kind == abi.kind.structure ? abi.type.structureKind : abi.type.enumerationKind
      return table != 0 && (flags ?? 0) & abi.classes.kindBits == expected
    case abi.kind.classObject:
      return isClass(metadata)
    case let kind:
      // Metadata of C++ and foreign classes has other kinds, all below that of a closure's captures.
      return kind < abi.kind.context
    }
  }

  private func isWitnessTable(_ table: UInt) throws(Unreadable) -> Bool {
    guard table & 7 == 0 else { return false }
    let region = try region(at: table, count: abi.witness.tableSize)
    let functions = stride(from: table, to: table + abi.witness.size, by: 8)
    return functions.allSatisfy { region.word(at: $0).map(segments.isCode) ?? false }
  }
}

/// Memory that the kernel copies, because nothing else has proven that it can be read.
package enum MemoryCopy {
  /// Two neighbouring words, or nil when any of their bytes can't be read.
  ///
  /// - Parameter address: any; one that isn't aligned to a word counts as unreadable.
  package static func pair(at address: UInt) -> (first: UInt, second: UInt)? {
    var words: (UInt, UInt) = (0, 0)
    guard address & 7 == 0, memlab_memory_copy(address, &words, 16) == 1 else { return nil }
    return words
  }

  /// Whether a byte can be read; nil when the kernel doesn't tell.
  static func isReadable(_ address: UInt) -> Bool? {
    var byte: UInt8 = 0
    let answer = memlab_memory_copy(address, &byte, 1)
    return answer < 0 ? nil : answer == 1
  }

  /// Calls `body` with copies of some memory, one part after the other, up to the first byte that
  /// cannot be read: a thread that ends takes its stack with it, and the guard of the next thread's
  /// stack may lie in the same mapping.
  ///
  /// - Parameter range: begins at a multiple of eight.
  /// - Returns: whether its first byte can be read.
  package static func readUpToGap(_ range: Range<UInt>, _ body: (Region) -> Void) -> Bool {
    let size: UInt = 1 << 16
    return withUnsafeTemporaryAllocation(byteCount: Int(size), alignment: 16) { buffer in
      let base = UInt(bitPattern: buffer.baseAddress)
      for start in stride(from: range.lowerBound & ~7, to: range.upperBound, by: Int(size)) {
        let count = min(size, range.upperBound - start)
        let copied = memlab_memory_copy_some(start, buffer.baseAddress, Int(count))
        guard copied > 0 else { return start > range.lowerBound }
        body(Region(proven: base, count: UInt(copied)))
        if copied < Int(count) { break }
      }
      return true
    }
  }
}

extension LoadedSegments {
  /// Whether an address lies in the library that runs queues.
  package func isDispatch(_ address: UInt?) -> Bool { address.flatMap(segment)?.isDispatch == true }
}

extension loaded_segment {
  /// The file that it was loaded from; `/proc/self/exe` for the program itself.
  var file: String {
    let file = path.map { String(cString: $0) } ?? ""
    return file.isEmpty ? "/proc/self/exe" : file
  }

  /// Whether it is the Swift core library, loaded as a library of its own.
  package var isCore: Bool { name.hasPrefix(abi.libraries.core) }

  /// Whether it is of the library that runs queues.
  package var isDispatch: Bool { name.hasPrefix(abi.libraries.dispatch) }

  /// Whether it is of a library that runs tests. Asked of each frame: no text is made of its path.
  var isOfTestLibrary: Bool {
    abi.testing.libraries.contains { library in
      path.map { strstr($0, "/" + library) != nil } ?? false
    }
  }

  /// The last component of the file's path; the program's own name for the program.
  package var name: String {
    let file = self.file
    return lastComponent(of: file == "/proc/self/exe" ? Self.executablePath : file)
  }

  private static let executablePath = ProcessFiles.target(ofLink: "/proc/self/exe")
}

/// What follows the last slash.
func lastComponent(of path: String) -> String {
  path.withCString { text in strrchr(text, 0x2F).map { String(cString: $0 + 1) } } ?? path
}

/// Looks up what C libraries export and Swift's `Glibc` module doesn't declare.
package enum CFunction {
  /// The function of that name, or nil when no loaded library exports it.
  ///
  /// - Parameter type: a `@convention(c)` function type that matches the C declaration.
  package static func named<Function>(_ name: String, as type: Function.Type) -> Function? {
    memlab_loaded_symbol(name).map { unsafeBitCast($0, to: type) }
  }

  /// The address of what is exported under a name; nil when no loaded library exports it.
  package static func address(_ name: String) -> UInt? {
    memlab_loaded_symbol(name).map { UInt(bitPattern: $0) }
  }

  /// The segment that has what is exported under a name.
  static func image(_ name: String) -> loaded_segment? {
    address(name).flatMap(LoadedSegments.current().segment)
  }
}
