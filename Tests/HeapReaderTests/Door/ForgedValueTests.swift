import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  /// What is in a block may be anything. Each of these was believed once; in a process of its own,
  /// where the forgery that is believed crashes it.
  @Suite("What looks like a type or a task and is not one") struct ForgedValueTests {
    private enum Choice {
      case one(Leaf)
      case two(Leaf, Int)
    }

    private final class Container { var value: Any = 1 }

    // As the standard library calls the buffer of a queue, and as large as that one's header.
    private final class _DequeBuffer { var (slots, count, first) = (0, 0, 0) }

    /// A copy of what stands before and behind the address of a type's metadata.
    private static func copy(of type: Any.Type) -> UnsafeMutablePointer<UInt> {
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
      let real = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
      for index in -2..<8 { words[index + 16] = real[index] }
      return words + 16
    }

    @Test("an enumeration whose function is no code is not asked for its case")
    func enumeration() async {
      await #expect(processExitsWith: .success) {
        let forged = Self.copy(of: Choice.self)
        let real = try #require(UnsafePointer<UInt>(bitPattern: forged[-1]))
        let table = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
        for index in 0..<12 { table[index] = real[index] }
        table[11] = UInt(bitPattern: table)
        forged[-1] = UInt(bitPattern: table)
        try recorded {
          let container = Container()
          container.value = Choice.two(Leaf(), 1)
          let place = unsafeBitCast(container, to: UnsafeMutablePointer<UInt>.self) + 2 + 3
          let type = place.pointee
          place.pointee = UInt(bitPattern: forged)
          let snapshot = try HeapSnapshot.take()
          place.pointee = type
          try #require(snapshot.liveInstances[name(Container.self)] == 1)
        }
      }
    }

    @Test("a superclass that is no class is not followed") func superclass() async {
      await #expect(processExitsWith: .success) {
        let forged = Self.copy(of: _DequeBuffer.self)
        forged[1] = 0x10
        try recorded {
          let buffer = _DequeBuffer()
          let metadata = unsafeBitCast(buffer, to: UnsafeMutablePointer<UInt>.self)
          let type = metadata.pointee
          metadata.pointee = UInt(bitPattern: forged)
          let snapshot = try HeapSnapshot.take()
          metadata.pointee = type
          try #require(snapshot.blocks > 0)
        }
      }
    }

    @Test("the name of a task ends where its block does") func taskName() async {
      await #expect(processExitsWith: .success) {
        try recorded {
          let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 24)
          text.initialize(repeating: UInt8(ascii: "A"), count: 24)
          let record = UnsafeMutablePointer<UInt>.allocate(capacity: 3)
          (record[0], record[1], record[2]) = (6, 0, UInt(bitPattern: text))
          let task = try Self.forgedTask(record: UInt(bitPattern: record))
          let snapshot = try HeapSnapshot.take()
          let forged = snapshot.tasks.filter { $0.pointer == UnsafeRawPointer(task) }
          try #require(forged.map(\.name) == [nil])
          text[23] = 0
          let named = try HeapSnapshot.take().tasks.filter { $0.pointer == UnsafeRawPointer(task) }
          try #require(named.map(\.name) == [String(repeating: "A", count: 23)])
        }
      }
    }

    /// A block with the marks of a task that has not finished.
    private static func forgedTask(record: UInt) throws -> UnsafeMutablePointer<UInt> {
      let symbol = memlab_loaded_symbol("_swift_concurrency_debug_asyncTaskMetadata")
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: 40)
      words.initialize(repeating: 0, count: 40)
      words[0] = try #require(symbol).load(as: UInt.self)
      words[1] = 3
      words[7] = UInt(bitPattern: memlab_loaded_symbol("getpid"))
      words[13] = record
      return words
    }
  }
}

@Suite("Memory that is mapped while the heap is read") struct LaterMemoryTests {
  // After a question about much memory, the mappings have been listed before the memory is there.
  @Test("is found, however often other memory was asked about", arguments: [0, 1, 127, 128, 1000])
  func laterMapping(questions: Int) throws {
    let memory = ProcessMemory()
    let old = try Mapping()
    for question in 0..<questions {
      #expect(memory.canRead(old.address + UInt(question) * 8, count: 8))
    }
    if questions > 0 { #expect(memory.canRead(old.address, count: old.size)) }
    #expect(!memory.canRead(8192, count: 8))
    let new = try Mapping()
    new.write(4711)
    #expect(try memory.word(new.address) == 4711)
    #expect(memory.canRead(new.address, count: new.size))
    #expect(!memory.canRead(new.address, count: new.size + 1))
  }

  // A question about more than a page has the mappings listed.
  @Test("is not read where a page in it cannot be, which no listing shows") func guarded() throws {
    let mapping = try Mapping()
    let page = mapping.size / 4
    guard mapping.installGuard(onPage: 1) else { return }
    let memory = ProcessMemory()
    for question in 0..<1000 {
      #expect(memory.canRead(mapping.address + UInt(question % 8) * 8, count: 8))
    }
    #expect(memory.canRead(mapping.address, count: page))
    #expect(!memory.canRead(mapping.address, count: page + 1))
    #expect(!memory.canRead(mapping.address + page, count: 8))
    #expect(memory.canRead(mapping.address + 2 * page, count: 2 * page))
  }
}

/// Memory that nobody has recorded, between two pages that cannot be read.
private final class Mapping {
  let size = 4 * UInt(getpagesize())
  private let whole: UnsafeMutableRawPointer
  private let page = UInt(getpagesize())

  init() throws {
    let room = Int(size + 2 * page)
    whole = try #require(mmap(nil, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    try #require(whole != MAP_FAILED)
    try #require(mprotect(whole + Int(page), Int(size), PROT_READ | PROT_WRITE) == 0)
  }

  deinit { munmap(whole, Int(size + 2 * page)) }

  var address: UInt { UInt(bitPattern: whole) + page }

  /// Makes a page unreadable as glibc does with threads' stacks.
  ///
  /// - Returns: whether this kernel can, which is Linux 6.13 or later. An emulator may say so and do
  ///   nothing.
  func installGuard(onPage number: UInt) -> Bool {
    let install: CInt = 102
    let place = whole + Int(page * (number + 1))
    guard madvise(place, Int(page), install) == 0 else { return false }
    var word: UInt = 0
    return memlab_memory_copy_through_pipe(UInt(bitPattern: place), &word, 8) == 0
  }

  func write(_ word: UInt) { (whole + Int(page)).storeBytes(of: word, as: UInt.self) }
}

@Suite("A stretch of memory") struct RegionTests {
  /// Calls `body` with a stretch in the middle of a buffer, so that both sides could be read too.
  private func withRegion(_ bytes: [UInt8], _ body: (Region) -> Void) {
    let buffer = [UInt8](repeating: 0x41, count: 64) + bytes + [UInt8](repeating: 0x41, count: 64)
    buffer.withUnsafeBytes { buffer in
      body(Region(proven: UInt(bitPattern: buffer.baseAddress) + 64, count: UInt(bytes.count)))
    }
  }

  @Test("is read up to its end and no further") func bounds() {
    withRegion([1, 0, 0, 0, 0, 0, 0, 0, 2, 3]) { region in
      #expect(region.word(at: region.start) == 1)
      #expect(region.word(at: region.start + 2) == 0x302_0000_0000_0000)
      #expect(region.word(at: region.start + 3) == nil)
      #expect(region.uint32(at: region.end - 4) == 0x302_0000)
      #expect(region.uint32(at: region.end - 3) == nil)
      #expect(region.byte(at: region.end - 1) == 3)
      #expect(region.byte(at: region.end) == nil)
      #expect(region.byte(at: region.start - 1) == nil)
      #expect(region.relative(at: region.end - 4) == region.end - 4 + 0x302_0000)
    }
  }

  @Test("is asked for any address", arguments: [0, 1, 1 << 62, UInt.max - 7, UInt.max])
  func wild(address: UInt) {
    withRegion([1, 2, 3, 4]) { region in
      #expect(region.word(at: address) == nil)
      #expect(region.uint32(at: address) == nil)
      #expect(region.byte(at: address) == nil)
      #expect(region.text(at: address) == nil)
    }
    #expect(Region(proven: address, count: .max).count <= UInt.max)
  }

  @Test("has text only where it ends in it") func text() {
    withRegion(Array("yes\0no".utf8)) { region in
      #expect(region.text(at: region.start) == "yes")
      #expect(region.text(at: region.start + 3) == "")
      #expect(region.text(at: region.start + 4) == nil)
    }
  }

  @Test(
    "has a mangled name only where it ends in it",
    arguments: [
      ("Si\0", true), ("Si", false), ("\u{1}abcd\0", true), ("\u{1}ab", false), ("\0", false),
    ]
  )
  func mangledName(bytes: String, isWhole: Bool) {
    withRegion(Array(bytes.utf8)) { region in
      #expect((MangledName(at: region.start, in: region) != nil) == isWhole)
    }
  }

  @Test("tells from a name how a property refers to an object") func ownership() {
    for (name, ownership) in [
      ("SiXw", ReferenceOwnership.weak), ("SoXo", .unowned), ("SoXu", .unowned), ("Si", .none),
      ("SpySiG", .pointer), ("Sv", .raw),
    ] {
      withRegion(Array("\(name)\0".utf8)) { region in
        #expect(MangledName(at: region.start, in: region)?.plainOwnership == ownership, "\(name)")
      }
    }
  }
}

extension ProcessMemory {
  /// Whether some bytes can be read.
  fileprivate func canRead(_ address: UInt, count: UInt) -> Bool {
    (try? region(at: address, count: count)) != nil
  }
}
