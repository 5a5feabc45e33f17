import CMemlabProcess
import MemlabHeapModel

/// Reads memory that a probe only believes to be where the table says.
///
/// The kernel copies every word, so a wrong offset gives nil or a wrong number, and never a crash.
/// Slower than a ``Region``: the probes read a few hundred words in all.
enum Peek {
  /// The 8 bytes at an address, aligned or not; nil where they cannot be read.
  static func word(_ address: UInt?) -> UInt? { copy(address, 0 as UInt) }

  /// The 4 bytes at an address.
  static func uint32(_ address: UInt?) -> UInt32? { copy(address, 0 as UInt32) }

  /// Whether a bit is set in the 4 bytes at an address.
  static func bit(_ bit: UInt32, _ address: UInt?) -> Bool? {
    uint32(address).map { $0 >> bit & 1 == 1 }
  }

  /// The byte at an address.
  static func byte(_ address: UInt?) -> UInt8? { copy(address, 0 as UInt8) }

  /// The address that a 32-bit offset relative to its own place means.
  static func relative(_ address: UInt?) -> UInt? {
    guard let address, let offset = uint32(address) else { return nil }
    return UInt(bitPattern: Int(bitPattern: address) &+ Int(Int32(bitPattern: offset)))
  }

  /// The zero-terminated text at an address, if it has at most 63 bytes.
  static func text(_ address: UInt?) -> String? {
    let bytes = bytes(at: address, count: 64)
    return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  /// As many of some bytes at an address as can be read.
  static func bytes(at address: UInt?, count: Int) -> [UInt8] {
    guard let address else { return [] }
    var bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, memory_copy_some(address, buffer.baseAddress, count))
    }
    // The kernel may copy all or nothing, or not copy for us at all.
    while bytes.count < count, let byte = byte(address &+ UInt(bytes.count)) { bytes.append(byte) }
    return bytes
  }

  /// The words of a stretch of memory, up to 4096 bytes; none where they cannot be read.
  static func words(from address: UInt, bytes: UInt) -> [UInt] {
    var words = [UInt](repeating: 0, count: Int(min(bytes, 4096) / 8))
    let isRead = words.withUnsafeMutableBytes {
      memory_copy(address, $0.baseAddress, $0.count) == 1
    }
    return isRead ? words : []
  }

  /// How many bytes of a block of the allocator's may be in use: glibc keeps a chunk's size before it.
  static func room(of block: UInt?) -> UInt? { word(block + (0 &- 8)).map { ($0 & ~7) &- 8 } }

  /// Whether an address is that of loaded code.
  static func isCode(_ address: UInt?) -> Bool {
    address.map { LoadedSegments.current().isCode($0) } ?? false
  }

  /// Whether an address belongs to a loaded image.
  static func isInImage(_ address: UInt?) -> Bool {
    address.map { LoadedSegments.current().segment(at: $0) != nil } ?? false
  }

  private static func copy<Value: BitwiseCopyable>(_ address: UInt?, _ zero: Value) -> Value? {
    var value = zero
    guard let address, memory_copy(address, &value, MemoryLayout<Value>.size) == 1 else {
      return nil
    }
    return value
  }
}

extension UInt? {
  /// An address some bytes further; nil stays nil. Wraps around, for either may be garbage.
  static func + (address: UInt?, offset: UInt) -> UInt? { address.map { $0 &+ offset } }
}
