/// A terminal that hands over every key as it is pressed, on a screen of its own.
///
/// Whatever ends the program or stops it, the terminal is first given back as it was: on return, on
/// an error, and on a signal.
struct RawTerminal: ~Copyable {
  /// Empties the screen and goes to its first line.
  static let clear = "\u{1B}[H\u{1B}[2J"

  private let output: Output

  /// Takes over the terminal of the standard input.
  init(output: Output) throws(OutputError) {
    self.output = output
    TerminalMode.takeOver(output.descriptor)
  }

  /// Gives the terminal back.
  func leave() { TerminalMode.giveBack() }

  /// Waits for keys, or for the page to need drawing again: then there are none.
  func keys() -> [Key] {
    var requests = [0, TerminalMode.wakeUps].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&requests, 2, -1) > 0 else { return errno == EINTR ? [] : [.quit] }
    if requests[1].revents != 0 {
      TerminalMode.forgetWakeUps()
      return []
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(0, &bytes, bytes.count)
    return count > 0 ? Key.read(bytes.prefix(count)) : [.quit]
  }

  /// The size of a terminal as it is now.
  static func size(of output: Output, fallback width: Int) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return (width, 24)
    }
    return (max(20, Int(size.ws_col)), max(5, Int(size.ws_row)))
  }
}

/// How the terminal was set before it was taken over, where signal handlers find it.
///
/// Nothing here allocates or locks: a handler may do neither.
enum TerminalMode {
  private nonisolated(unsafe) static var saved = termios()
  private nonisolated(unsafe) static var descriptor: Int32 = 1
  private nonisolated(unsafe) static var isTaken = false
  private nonisolated(unsafe) static var pipeEnds: (Int32, Int32) = (-1, -1)
  // What each signal did before, by its number: crashes have handlers of their own.
  private nonisolated(unsafe) static let before = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 65)

  /// Signals that end the program unless it asks not to.
  private static let ending = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS,
  ]

  /// Signals after which the terminal is taken over or drawn upon again.
  private static let moving = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Takes the terminal over; keys arrive at once and are not shown.
  static func takeOver(_ output: Int32) {
    descriptor = output
    guard tcgetattr(0, &saved) == 0 else { return }
    for number in ending + moving { sigaction(number, nil, &before[Int(number)]) }
    for number in ending { signal(number) { TerminalMode.end($0) } }
    signal(SIGTSTP) { _ in TerminalMode.stop() }
    signal(SIGCONT) { _ in TerminalMode.goOn() }
    signal(SIGWINCH) { _ in TerminalMode.wakeUp() }
    openPipe()
    isTaken = true
    begin()
  }

  /// Gives the terminal back as it was.
  static func giveBack() {
    guard isTaken else { return }
    isTaken = false
    restore()
    for number in ending + moving { sigaction(number, &before[Int(number)], nil) }
  }

  /// What can be read when the page must be drawn again: the size has changed, or the program was
  /// stopped and goes on. A pipe, since a signal may come just before `poll` is called.
  static var wakeUps: Int32 { pipeEnds.0 }

  /// Empties ``wakeUps``.
  static func forgetWakeUps() {
    var byte: UInt8 = 0
    while read(pipeEnds.0, &byte, 1) > 0 {}
  }

  private static func openPipe() {
    guard pipeEnds.0 < 0 else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    pipeEnds = (ends[0], ends[1])
  }

  private static func wakeUp() { write("!", to: pipeEnds.1) }

  private static func begin() {
    guard isTaken else { return }
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
    tcsetattr(0, TCSANOW, &raw)
    // Another screen, and no cursor.
    write("\u{1B}[?1049h\u{1B}[?25l", to: descriptor)
  }

  private static func restore() {
    // Before the screen, so that whoever sees the old screen finds the old settings.
    tcsetattr(0, TCSANOW, &saved)
    write("\u{1B}[?25h\u{1B}[?1049l", to: descriptor)
  }

  private static func end(_ number: Int32) {
    restore()
    sigaction(number, &before[Int(number)], nil)
    raise(number)
  }

  private static func stop() {
    restore()
    raise(SIGSTOP)
  }

  private static func goOn() {
    begin()
    wakeUp()
  }

  private static func write(_ sequence: StaticString, to descriptor: Int32) {
    _ = CLibrary.write(descriptor, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }
}
