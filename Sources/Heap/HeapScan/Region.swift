import CMemlabProcess
import MemlabRuntimeABI

/// A stretch of this process's memory that was seen to be readable: a recorded block, part of a
/// loaded image, a mapping, or a copy.
///
/// The heap is read here and nowhere else. Each read asks whether it lies in the stretch, and
/// returns nil where it does not, whatever the address.
package struct Region: Sendable {
  /// Where the stretch begins.
  package let start: UInt
  /// Where it ends.
  package let end: UInt

  /// A stretch that the caller has proven to be readable, and that stays so while it is used.
  package init(proven start: UInt, count: UInt) {
    self.start = start
    end = start.addingReportingOverflow(count).overflow ? start : start + count
  }

  /// Whether a word can be an address at all: not in the first page, and of a process.
  @inline(__always)
  package static func isAddress(_ word: UInt) -> Bool {
    word > 4096 && word < 1 << UInt(USER_ADDRESS_BITS)
  }

  /// How many bytes it has.
  package var count: UInt { end - start }

  /// Whether some bytes lie in it.
  @inline(__always)
  package func contains(_ address: UInt, count: UInt) -> Bool {
    address >= start && address <= end && end - address >= count
  }

  /// The 8 bytes at an address.
  @inline(__always)
  package func word(at address: UInt) -> UInt? {
    contains(address, count: 8) ? load(UInt.self, at: address) : nil
  }

  /// The 4 bytes at an address.
  @inline(__always)
  package func uint32(at address: UInt) -> UInt32? {
    contains(address, count: 4) ? load(UInt32.self, at: address) : nil
  }

  /// The byte at an address.
  @inline(__always)
  package func byte(at address: UInt) -> UInt8? {
    contains(address, count: 1) ? load(UInt8.self, at: address) : nil
  }

  /// The address that a 32-bit offset relative to its own place means; zero for a null offset.
  package func relative(at address: UInt) -> UInt? {
    guard let bits = uint32(at: address) else { return nil }
    return bits == 0 ? 0 : address &+ UInt(bitPattern: Int(Int32(bitPattern: bits)))
  }

  /// The zero-terminated text at an address; nil when the zero is not in the stretch, or not within
  /// 65,536 bytes.
  package func text(at address: UInt) -> String? {
    guard contains(address, count: 1), let text = UnsafeRawPointer(bitPattern: address) else {
      return nil
    }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(min(end - address, 1 << 16)))
    return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  /// Calls `body` with each whole word at a multiple of eight between two addresses, as far as it
  /// lies in the stretch.
  @inline(__always)
  package func forEachWord(
    from first: UInt, to last: UInt, _ body: (_ address: UInt, _ word: UInt) -> Void
  ) {
    let last = min(last, end)
    guard first <= last else { return }
    var address = (max(first, start) + 7) & ~7
    while address <= last, last - address >= 8 {
      body(address, load(UInt.self, at: address))
      address += 8
    }
  }

  /// Calls `body` with each word in the stretch that may be an address between two bounds, and with the
  /// place where it stands.
  ///
  /// - Parameter bounds: the lowest address that may be meant, and how far from it the highest is.
  package func forEachAddress(
    within bounds: (lowest: UInt, span: UInt), _ body: (_ place: UInt, _ address: UInt) -> Void
  ) {
    var address = (start + 7) & ~7
    let mask = abi.reference.addressBits
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 512) { places in
      while address <= end, end - address >= 8 {
        var count = 0
        address = memlab_words_within(
          address, end, mask, bounds.lowest, bounds.span, places.baseAddress, places.count, &count)
        for place in places.prefix(count) { body(place, load(UInt.self, at: place) & mask) }
      }
    }
  }

  /// A part of the stretch, as far as it lies in it.
  package func part(from first: UInt, to last: UInt) -> Region {
    let (first, last) = (max(first, start), min(last, end))
    return first < last
      ? Region(proven: first, count: last - first) : Region(proven: start, count: 0)
  }

  @inline(__always)
  private func load<Value: BitwiseCopyable>(_: Value.Type, at address: UInt) -> Value {
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.loadUnaligned(as: Value.self)
  }
}
