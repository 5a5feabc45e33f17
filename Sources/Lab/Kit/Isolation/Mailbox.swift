import MemlabPlatform

/// Memory that a process shares with its child: how far the child has come, what it does there, and
/// its results.
///
/// It is shared memory and not a pipe, so it survives when the child closes descriptors or crashes.
/// The parent reads it after the child has ended, so no lock is needed.
final class Mailbox: @unchecked Sendable {
  private struct Header {
    var step = 0
    var count = 0
    var bytes = 0
    var textLength = 0
  }

  // Longer than any step's text.
  private static let textSize = 1024

  // Only pages that are written take memory.
  private static let size = 256 << 20
  private let memory: UnsafeMutableRawPointer

  /// An empty mailbox; nil when there is no memory for it.
  init?() {
    let flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE
    guard let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, flags, -1, 0),
      memory != MAP_FAILED
    else { return nil }
    self.memory = memory
    memory.bindMemory(to: Header.self, capacity: 1).initialize(to: Header())
  }

  deinit { munmap(memory, Self.size) }

  private var header: UnsafeMutablePointer<Header> { memory.assumingMemoryBound(to: Header.self) }
  private var body: UnsafeMutableRawPointer { text + Self.textSize }
  private var text: UnsafeMutableRawPointer { memory + MemoryLayout<Header>.stride }

  /// The step that the child has reached, from 1; 0 before the first.
  var step: Int {
    get { header.pointee.step }
    set { header.pointee.step = newValue }
  }

  /// What that step does; empty before it has begun.
  var stepText: String {
    get {
      let length = min(header.pointee.textLength, Self.textSize)
      return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }
    set {
      let bytes = Array(newValue.utf8.prefix(Self.textSize))
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: text, count: $0.count).copyMemory(from: $0)
      }
      header.pointee.textLength = bytes.count
    }
  }

  /// How many results the child has left.
  var count: Int { header.pointee.count }

  /// The child's results, in order.
  var contents: [Data] {
    var place = body
    return (0..<count).map { _ in
      let length = place.loadUnaligned(as: Int.self)
      defer { place += MemoryLayout<Int>.size + length }
      return Data(bytes: place + MemoryLayout<Int>.size, count: length)
    }
  }

  /// Leaves a result. Traps when it does not fit, which the parent then reports as a crash.
  func put(_ content: Data) {
    let used = header.pointee.bytes
    let size = MemoryLayout<Int>.size + content.count
    precondition(
      used + size <= Self.size - Self.textSize - MemoryLayout<Header>.stride,
      "a result of \(content.count) bytes does not fit into the mailbox")
    (body + used).storeBytes(of: content.count, as: Int.self)
    content.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      (body + used + MemoryLayout<Int>.size).copyMemory(from: start, byteCount: bytes.count)
    }
    header.pointee.bytes = used + size
    header.pointee.count += 1
  }
}
