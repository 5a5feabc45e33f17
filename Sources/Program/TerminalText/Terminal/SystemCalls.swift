// The C library and Foundation, for every file of this room and for those that import it.
@_exported public import MemlabPlatform

extension SystemCalls {
  /// Another descriptor of the same open file, which no program started from here inherits; negative
  /// when there can be none.
  package static func duplicate(of descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  /// Whether a file descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Gives this process nothing to read in place of a terminal's keys.
  ///
  /// Swift's backtracer asks at a terminal what to do about a crash, and waits 30 seconds for a key.
  package static func stopReadingKeys() {
    guard isTerminal(0) else { return }
    let empty = open("/dev/null", O_RDONLY)
    guard empty >= 0 else { return }
    _ = dup2(empty, 0)
    _ = close(empty)
  }

  /// The width of a terminal in columns; `nil` if the descriptor is not one or doesn't know.
  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The value of an environment variable.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether a name is what a pattern describes, as the shell has it for file names.
  package static func matches(_ name: String, glob pattern: String) -> Bool {
    fnmatch(pattern, name, 0) == 0
  }

  /// What can be read from a descriptor until its other end is closed.
  ///
  /// - Parameters:
  ///   - descriptor: what is read.
  ///   - limit: how long that may take; nil for any time.
  ///   - most: how many bytes are enough.
  package static func everything(
    from descriptor: Int32, within limit: Duration? = nil, atMost most: Int = .max
  ) -> [UInt8] {
    let end = limit.map { ContinuousClock.now + $0 }
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    while all.count < most {
      if let left = end.map(ContinuousClock.now.duration) {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard left > .zero else { break }
        guard poll(&request, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { continue }
      }
      let count = read(descriptor, &part, part.count)
      if count > 0 { all += part[..<count] }
      if count == 0 || (count < 0 && errno != EINTR) { break }
    }
    return all
  }
}

/// The time that processors have worked for a process.
///
/// Not the time on the wall, which other programs delay and which memlab's scheduler replaces.
package enum ProcessorTime {
  /// For this process since it began, all threads together.
  package static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// What a body takes.
  package static func of(_ body: () throws -> Void) rethrows -> Duration {
    let start = now()
    try body()
    return now() - start
  }
}
