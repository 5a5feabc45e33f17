#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// memlab at a terminal that a test holds the other end of.
  final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    private let process = Process()
    private var seen = ""
    // Its other end is closed when the program has ended.
    private let ended = Pipe()

    /// Starts memlab, or another program beside it, at a terminal of so many lines and columns.
    init(
      _ arguments: [String], lines: UInt16 = 24, columns: UInt16 = 80, pager: String = "cat",
      program: String = "memlab", environment: [String: String] = [:], in folder: URL? = nil
    ) throws {
      // What grantpt, unlockpt and ptsname of the C library do, which Swift does not import.
      var (isLocked, number): (Int32, Int32) = (0, 0)
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
      guard ioctl(master, unlock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else {
        throw Failure.noTerminal
      }
      slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      let end = ended.fileHandleForWriting
      process.terminationHandler = { _ in try? end.close() }
      var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
      let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
      process.executableURL = MemlabBinary.folder.appending(path: program)
      process.arguments = arguments
      process.currentDirectoryURL = folder
      process.environment = [
        "TERM": "xterm", "NO_COLOR": "1", "PAGER": pager, "PATH": "/usr/bin:/bin",
        "SWIFT_BACKTRACE": "color=no,interactive=no",
      ].merging(environment) { $1 }
      (process.standardInput, process.standardOutput) = (handle, handle)
      process.standardError = handle
      try Self.lettingSignalsThrough { try process.run() }
    }

    deinit {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      close(slave)
      close(master)
      process.waitUntilExit()
    }

    /// A program inherits the signals that its parent's thread blocks, and the threads that tests run
    /// on block most.
    private static func lettingSignalsThrough(_ body: () throws -> Void) rethrows {
      var (none, before) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      try body()
    }

    /// Why a conversation has failed.
    enum Failure: Error {
      case noTerminal
      case silence(after: String)
    }

    /// Whether keys arrive line by line and are shown, as a shell wants it.
    var isAsItWas: Bool {
      var mode = termios()
      tcgetattr(slave, &mode)
      return mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }

    /// Presses keys.
    @discardableResult func type(_ keys: String) -> PseudoTerminal {
      _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      return self
    }

    /// Presses keys when a text has been written.
    @discardableResult func type(_ keys: String, after text: String) throws -> PseudoTerminal {
      try wait(for: text)
      return type(keys)
    }

    /// Expects the program to end with this code, and to leave the terminal as it was.
    func ends(_ code: Int32 = 0, at place: SourceLocation = #_sourceLocation) {
      #expect(end() == code, sourceLocation: place)
      #expect(isAsItWas, sourceLocation: place)
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Reads until a text has been written.
    ///
    /// - Returns: everything since what the last call has waited for, to the end of this text. What
    ///   has come after it is the next call's.
    @discardableResult func wait(for text: String) throws -> String {
      while true {
        if let found = seen.range(of: text) {
          defer { seen = String(seen[found.upperBound...]) }
          return String(seen[..<found.upperBound])
        }
        var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 4096)
        guard poll(&request, 1, 60_000) > 0 else { throw Failure.silence(after: seen) }
        let count = read(master, &bytes, bytes.count)
        guard count > 0 else { throw Failure.silence(after: seen) }
        seen += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
    }

    /// Waits until the program has been stopped by a signal.
    func waitUntilStopped() {
      var info = siginfo_t()
      _ = waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WNOWAIT)
    }

    /// Waits for the end, and reads what is still written: nobody can write to a terminal that is full,
    /// and the process that prints a crash's backtrace would never end.
    ///
    /// - Returns: the exit code, or 128 and the signal's number.
    func end() -> Int32 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        var requests = [ended.fileHandleForReading.fileDescriptor, master].map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&requests, 2, -1) > 0, requests[0].revents == 0 else { break }
        if requests[1].revents != 0 { _ = read(master, &bytes, bytes.count) }
      }
      process.waitUntilExit()
      return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    }
  }
#endif
