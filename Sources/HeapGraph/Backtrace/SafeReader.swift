import Glibc

/// Reads words of this process that may not be mapped, without ever faulting.
///
/// The kernel copies the bytes into a pipe and answers `EFAULT` where there is nothing to read, so
/// a wild pointer costs a failed system call. A pipe is used rather than `process_vm_readv` because
/// containers often forbid the latter. A value belongs to one thread at a time.
struct SafeReader: ~Copyable {
  private typealias Send = @convention(c) (Int32, UnsafeRawPointer, Int) -> Int

  /// The C library's own entry: sanitizers replace `write` to check the bytes before the kernel
  /// does.
  private static let send =
    CFunction.named("__write", as: Send.self) ?? CFunction.named("write", as: Send.self)

  private let readEnd: Int32
  private let writeEnd: Int32

  /// Opens the pipe; nil when the process has no file descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Two neighbouring words, or nil when any of their bytes can't be read.
  ///
  /// - Parameter address: where the first word lies; it must be aligned to a word.
  func pair(at address: UInt) -> (first: UInt, second: UInt)? {
    guard address != 0, address % 8 == 0, let source = UnsafeRawPointer(bitPattern: address) else {
      return nil
    }
    let size = 16
    guard let send = SafeReader.send, send(writeEnd, source, size) > 0 else { return nil }
    var words: (UInt, UInt) = (0, 0)
    let received = withUnsafeMutableBytes(of: &words) { read(readEnd, $0.baseAddress, size) }
    return received == size ? words : nil
  }
}
