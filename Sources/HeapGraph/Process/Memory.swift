import CProcessAccess
import RuntimeABI

/// The one door to the process's memory: everything that HeapGraph reads, it reads here.
///
/// An address is validated by the caller: it lies in a recorded block (whose memory stays mapped
/// while frees are held), in a loaded image, or in a mapping that was seen to be readable. Any
/// other goes to ``pair(at:)`` or ``isReadable(_:count:)``, which ask the kernel.
enum Memory {
  /// The 8 bytes at an address.
  @inline(__always)
  static func word(_ address: UInt) -> UInt {
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.loadUnaligned(as: UInt.self)
  }

  /// The 4 bytes at an address.
  @inline(__always)
  static func uint32(_ address: UInt) -> UInt32 {
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.loadUnaligned(as: UInt32.self)
  }

  /// The byte at an address.
  @inline(__always)
  static func byte(_ address: UInt) -> UInt8 {
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.load(as: UInt8.self)
  }

  /// Two neighbouring words, or nil when any of their bytes can't be read.
  ///
  /// - Parameter address: any; one that isn't aligned to a word counts as unreadable.
  static func pair(at address: UInt) -> (first: UInt, second: UInt)? {
    var words: (UInt, UInt) = (0, 0)
    guard address & 7 == 0, memory_copy(address, &words, 16) == 1 else { return nil }
    return words
  }

  /// Whether at most 64 bytes at an address can be read; nil when the kernel doesn't tell.
  static func isReadable(_ address: UInt, count: UInt) -> Bool? {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { copy in
      let answer = memory_copy(address, copy.baseAddress, min(Int(count), copy.count))
      return answer < 0 ? nil : answer == 1
    }
  }

  /// The address that a 32-bit offset relative to its own place means; zero for a null offset.
  static func relative(_ address: UInt) -> UInt {
    let offset = Int32(bitPattern: uint32(address))
    return offset == 0 ? 0 : UInt(bitPattern: Int(bitPattern: address) &+ Int(offset))
  }

  /// The zero-terminated text at an address; empty for a null address.
  static func text(_ address: UInt) -> String {
    guard let start = UnsafePointer<CChar>(bitPattern: address) else { return "" }
    return String(cString: start)
  }

  /// A type from the address of its metadata, which the caller has validated.
  static func type(_ metadata: UInt) -> Any.Type {
    unsafeBitCast(metadata, to: Any.Type.self)
  }

  /// The pointer in a word once the bits that Swift uses for tags are masked off.
  ///
  /// On x86-64 an enum's payload case and `BridgeObject` may use the top byte and the low three
  /// bits of a reference.
  @inline(__always)
  static func untagged(_ word: UInt) -> UInt { word & abi.reference.addressBits }

  /// Whether a word can be an address at all: not in the first page, and of a process.
  @inline(__always)
  static func isAddress(_ word: UInt) -> Bool {
    word > 4096 && word < 1 << UInt(USER_ADDRESS_BITS)
  }
}
