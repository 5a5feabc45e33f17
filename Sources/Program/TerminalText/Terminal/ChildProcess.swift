/// A program that is run to its end, with what it writes to its standard output.
package struct ChildProcess {
  /// What it wrote.
  package let output: [UInt8]
  /// The code that it ended with; 128 and the signal's number if a signal ended it, as in a shell.
  package let code: Int32
  /// How long processors have worked for it.
  package let processorTime: Duration

  /// Runs a program and waits until it has ended; its standard error is this program's.
  ///
  /// - Throws: `ChildProcessError` when it cannot be started.
  package init(_ executable: String, _ arguments: [String]) throws(ChildProcessError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ChildProcessError(code: errno) }
    let (reading, writing) = (ends[0], ends[1])
    // The child is to have the one end as its standard output, and nothing else.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(reading) }
    let (id, failure) = CLibrary.spawn([executable] + arguments, output: writing)
    close(writing)
    guard failure == 0 else { throw ChildProcessError(code: failure) }
    output = Self.everything(from: reading)
    (code, processorTime) = Self.end(of: id)
  }

  /// Runs a program on this program's own terminal and waits until it has ended.
  ///
  /// - Parameter output: the descriptor that is its standard output.
  /// - Returns: the code that it ended with, as ``code`` has it.
  /// - Throws: `ChildProcessError` when it cannot be started.
  @discardableResult
  package static func runInTerminal(
    _ executable: String, _ arguments: [String], output: Int32 = 1
  ) throws(ChildProcessError) -> Int32 {
    let (id, failure) = CLibrary.spawn([executable] + arguments, output: output)
    guard failure == 0 else { throw ChildProcessError(code: failure) }
    return end(of: id).code
  }

  private static func everything(from descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &part, part.count)
      if count > 0 { all += part[..<count] }
      if count == 0 || (count < 0 && errno != EINTR) { return all }
    }
  }

  private static func end(of id: pid_t) -> (code: Int32, processorTime: Duration) {
    var (status, usage) = (Int32(), rusage())
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    // As WIFSIGNALED, WTERMSIG and WEXITSTATUS have it; macros do not reach Swift.
    let signal = status & 0x7F
    let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    return (code, usage.ru_utime.duration + usage.ru_stime.duration)
  }
}

extension timeval {
  fileprivate var duration: Duration { .seconds(tv_sec) + .microseconds(Int64(tv_usec)) }
}

/// A program could not be started.
package struct ChildProcessError: Error, CustomStringConvertible {
  /// The operating system's `errno`.
  package let code: Int32

  package var description: String {
    "memlab could not start itself: " + (strerror(code).map { String(cString: $0) } ?? "\(code)")
  }
}
