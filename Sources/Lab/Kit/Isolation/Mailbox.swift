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

  /// What stands before the message of a result that the child has left.
  struct Envelope {
    // So that a message that was cut off or changed is not believed.
    fileprivate let length: Int
    fileprivate let hash: Int
    /// How long the result took.
    let nanoseconds: Int64
    /// Where in the child's output the next piece begins; negative when that is closed.
    let outputEnd: Int
    /// Whether the child ends here, although its group may not be done.
    let isLast: Bool
  }

  /// A result that the child has left, and what stands before it.
  typealias Letter = (message: UnsafeRawBufferPointer, envelope: Envelope)

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
  private var text: UnsafeMutableRawPointer { memory + MemoryLayout<Header>.stride }
  private var body: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(start: memory, count: Self.size)
        .dropFirst(MemoryLayout<Header>.stride + Self.textSize))
  }

  /// The step that the child has reached, from 1; 0 before the first.
  var step: Int {
    get { header.pointee.step }
    set { header.pointee.step = newValue }
  }

  /// What that step does; empty before it has begun.
  var stepText: String {
    get {
      let length = min(max(header.pointee.textLength, 0), Self.textSize)
      return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }
    set {
      let bytes = Array(newValue.utf8.prefix(Self.textSize))
      text.copyMemory(from: bytes, byteCount: bytes.count)
      header.pointee.textLength = bytes.count
    }
  }

  /// How many results the child has left.
  var count: Int { header.pointee.count }

  /// What the child has left, in order; nil for the first that is not as it was put, and none after it.
  ///
  /// - Parameter most: how many it could leave. Code under study may have written to its memory.
  func letters(most: Int) -> [Letter?] {
    var (letters, rest) = ([Letter?](), UnsafeRawBufferPointer(body)[...])
    let size = MemoryLayout<Envelope>.stride
    while letters.count < count {
      guard letters.count < most, rest.count >= 2 * size else { return letters + [nil] }
      let envelope = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: Envelope.self)
      rest = rest.dropFirst(size)
      guard (0...rest.count - size).contains(envelope.length) else { return letters + [nil] }
      let message = UnsafeRawBufferPointer(rebasing: rest.prefix(envelope.length))
      guard Self.hash(of: message) == envelope.hash else { return letters + [nil] }
      letters.append((message, envelope))
      rest = rest.dropFirst(envelope.length)
    }
    return letters
  }

  /// Leaves a result. Traps when it does not fit, which the parent then reports as a crash.
  func put(_ message: Data, nanoseconds: Int64, outputEnd: Int, isLast: Bool) {
    let (used, size) = (header.pointee.bytes, MemoryLayout<Envelope>.stride)
    let next = used + size + message.count
    precondition(
      next + size <= body.count, "a result of \(message.count) bytes does not fit into the mailbox")
    message.withUnsafeBytes { bytes in
      let envelope = Envelope(
        length: bytes.count, hash: Self.hash(of: bytes), nanoseconds: nanoseconds,
        outputEnd: outputEnd, isLast: isLast)
      body.storeBytes(of: envelope, toByteOffset: used, as: Envelope.self)
      UnsafeMutableRawBufferPointer(rebasing: body[(used + size)..<next]).copyMemory(from: bytes)
    }
    header.pointee.bytes = next
    header.pointee.count += 1
  }

  private static func hash(of message: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: message)
    return hasher.finalize()
  }
}
