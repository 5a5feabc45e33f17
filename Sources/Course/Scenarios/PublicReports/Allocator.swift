import MemlabPlatform

/// What the C library's allocator has taken from the kernel, and what it has given out.
enum Allocator {
  // Their header is in none of Swift's modules of glibc. Sanitizers bring an allocator of their own,
  // and musl and a Mac have none of these.
  private typealias SizeOf = @convention(c) (UnsafeRawPointer) -> Int
  private static let sizeOf = function("malloc_usable_size", as: SizeOf.self)

  /// Whether the figures mean what they say: this is glibc's allocator.
  static let isMeasurable =
    sizeOf != nil
    && !["__asan_init", "__tsan_init"].contains { function($0, as: SizeOf.self) != nil }

  /// How many megabytes of a block are still mapped for this process. A block of more than 32 MB has a
  /// mapping of its own, which ends when the block is freed: M_MMAP_THRESHOLD.
  ///
  /// - Parameters:
  ///   - count: how many it had.
  ///   - place: where it began.
  static func mappedMegabytes(of count: Int, at place: UnsafeMutableRawPointer) -> Int {
    let start = place - Int(bitPattern: place) % Int(sysconf(CInt(_SC_PAGESIZE)))
    // There is no file to write to: the kernel only looks whether it knows the pages.
    return (0..<count).count { msync(start + $0 << 20, 1 << 20, MS_ASYNC) == 0 }
  }

  // As large as an object with a probe, and with a side table.
  private final class Sample {
    weak var itself: Sample?
    let serial = 0
    init() { itself = self }
  }

  // A block is larger than what was asked for where its rest would be too small to be one.
  private static func least(_ size: Int, of other: (Sample) -> Int) -> Int {
    let samples = (0..<256).map { _ in Sample() }
    return min(size, samples.map(other).min() ?? size)
  }

  /// The size of an object's block, in whole units of 16 bytes; at most that of others of 32 bytes.
  static func size(of object: AnyObject) -> Int { least(blockSize(of: object), of: blockSize) }

  /// The size of the block of an object's side table, at most that of other objects; zero where it has
  /// none.
  static func sideTableSize(of object: AnyObject) -> Int {
    least(tableSize(of: object), of: tableSize)
  }

  private static func blockSize(of object: AnyObject) -> Int {
    size(at: Unmanaged.passUnretained(object).toOpaque())
  }

  // The upper two bits of an object's second word say that the rest is a side table's address,
  // divided by eight: `RefCountBitOffsets` in stdlib/public/SwiftShims/swift/shims/RefCount.h.
  private static func tableSize(of object: AnyObject) -> Int {
    let address = Unmanaged.passUnretained(object).toOpaque()
    let word = address.load(fromByteOffset: 8, as: UInt.self)
    guard word >> 62 == 3, let table = UnsafeRawPointer(bitPattern: word << 3) else {
      return 0
    }
    return size(at: table)
  }

  private static func size(at block: UnsafeRawPointer) -> Int { (sizeOf?(block) ?? 0) & ~15 }

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let program = dlopen(nil, RTLD_LAZY) else { return nil }
    return dlsym(program, name).map { unsafeBitCast($0, to: type) }
  }
}
