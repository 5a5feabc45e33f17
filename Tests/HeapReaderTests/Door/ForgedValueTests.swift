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
      let symbol = loaded_symbol("_swift_concurrency_debug_asyncTaskMetadata")
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: 40)
      words.initialize(repeating: 0, count: 40)
      words[0] = try #require(symbol).load(as: UInt.self)
      words[1] = 3
      words[7] = UInt(bitPattern: loaded_symbol("getpid"))
      words[13] = record
      return words
    }
  }
}
