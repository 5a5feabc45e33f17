import FoundationEssentials
import Glibc

/// Memory that a process shares with its child: how far the child has come, and its result.
///
/// Shared memory and not a pipe: it stays whole when the child closes descriptors or ends in the
/// middle of its work. The parent reads it when the child has ended, so no lock is needed.
final class Mailbox: @unchecked Sendable {
  private struct Header {
    var step = 0
    var count = 0
  }

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
  private var body: UnsafeMutableRawPointer { memory + MemoryLayout<Header>.stride }

  /// The step that the child has come to, from 1; 0 before the first.
  var step: Int {
    get { header.pointee.step }
    set { header.pointee.step = newValue }
  }

  /// The child's result; nil when it has left none.
  var content: Data? {
    let count = header.pointee.count
    return count > 0 ? Data(bytes: body, count: count) : nil
  }

  /// Leaves a result. Traps when it does not fit, which the parent then reports as a crash.
  func put(_ content: Data) {
    precondition(
      content.count <= Self.size - MemoryLayout<Header>.stride,
      "a result of \(content.count) bytes does not fit into the mailbox")
    content.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      body.copyMemory(from: start, byteCount: bytes.count)
    }
    header.pointee.count = content.count
  }
}
