/// A terminal in raw mode: each key arrives as it is pressed, and pages are drawn on a second
/// screen.
///
/// Before the program ends or stops, the terminal is set back to what it was: on return, on
/// an error, and on a signal.
package struct RawTerminal: ~Copyable {
  /// Empties the screen and goes to its first line.
  package static let clear = "\u{1B}[H\u{1B}[2J"

  private let output: Output

  /// Takes over the terminal of the standard input.
  package init(output: Output) throws(OutputError) {
    self.output = output
    TerminalMode.takeOver(output.descriptor)
  }

  /// Gives the terminal back.
  package func leave() { TerminalMode.giveBack() }

  /// Waits for keys, or for the page to need drawing again: then there are none.
  package func keys() -> [Key] {
    let (ready, isWoken) = wait(-1)
    guard ready > 0 else { return errno == EINTR ? [] : [.quit] }
    if isWoken { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(0, &bytes, bytes.count)
    return count > 0 ? Key.read(bytes.prefix(count)) : [.quit]
  }

  /// Waits for a letter, for as long as a time.
  ///
  /// - Returns: the letter; `q` at the end of the input; an empty text when the time is over, and
  ///   `-` when only the page needs drawing again.
  package func letter(within milliseconds: Int) -> String {
    let (count, isWoken) = wait(Int32(clamping: milliseconds))
    guard count > 0, !isWoken else { return count == 0 ? "" : "-" }
    var byte: UInt8 = 0
    guard read(0, &byte, 1) == 1, byte != 4 else { return "q" }
    return String(decoding: [byte], as: UTF8.self)
  }

  /// Waits for input or for the page to need drawing again; a negative time is without an end.
  private func wait(_ milliseconds: Int32) -> (count: Int32, isWoken: Bool) {
    var requests = [0, TerminalMode.wakeUps].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&requests, 2, milliseconds)
    let isWoken = count > 0 && requests[1].revents != 0
    if isWoken { TerminalMode.forgetWakeUps() }
    return (count, isWoken)
  }

  /// Asks for a line, which is typed with the terminal's own editing.
  ///
  /// - Returns: nil at the end of the input.
  package func line(after prompt: String) throws(OutputError) -> String? {
    // Before the prompt: what is typed after it can be edited.
    TerminalMode.beginLine()
    defer { TerminalMode.begin() }
    try output.write(control: "\r\n" + prompt)
    return readLine()
  }

  /// The size of a terminal as it is now.
  package static func size(of output: Output, fallback width: Int) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return (width, 24)
    }
    return (max(20, Int(size.ws_col)), max(5, Int(size.ws_row)))
  }
}

/// How the terminal was set before it was taken over, where signal handlers find it.
///
/// A handler may interrupt any line of this, so nothing here allocates or locks, and all state lies
/// behind a pointer: Swift checks that accesses to a variable do not overlap, and would end the
/// program in a handler that restores the terminal while the code it has interrupted reads the
/// settings.
enum TerminalMode {
  private struct State {
    var saved = termios()
    var descriptor: Int32 = 1
    var isTaken = false
    var readsLine = false
    var pipeEnds: (reading: Int32, writing: Int32) = (-1, -1)
  }

  private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
    return state
  }()
  // What each signal did before, by its number: crashes have handlers of their own.
  private nonisolated(unsafe) static let before = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 65)

  /// Signals that end the program unless it asks not to.
  private static let ending =
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS]

  /// Signals that stop or continue the program, or change the size of the terminal.
  private static let moving = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Puts the terminal into raw mode; keys arrive at once and are not shown.
  static func takeOver(_ output: Int32) {
    state.pointee.descriptor = output
    guard tcgetattr(0, &state.pointee.saved) == 0 else { return }
    for number in ending + moving { sigaction(number, nil, before + Int(number)) }
    for number in ending { signal(number) { TerminalMode.end($0) } }
    signal(SIGTSTP) { _ in TerminalMode.stop() }
    signal(SIGCONT) { _ in TerminalMode.goOn() }
    signal(SIGWINCH) { _ in TerminalMode.wakeUp() }
    openPipe()
    state.pointee.isTaken = true
    begin()
  }

  /// Gives the terminal back as it was.
  static func giveBack() {
    guard state.pointee.isTaken else { return }
    state.pointee.isTaken = false
    restore()
    for number in ending + moving { sigaction(number, before + Int(number), nil) }
  }

  /// What can be read when the page must be drawn again: the size has changed, or the program was
  /// stopped and goes on. A pipe, since a signal may come just before `poll` is called.
  static var wakeUps: Int32 { state.pointee.pipeEnds.reading }

  /// Empties ``wakeUps``.
  static func forgetWakeUps() {
    var byte: UInt8 = 0
    while read(wakeUps, &byte, 1) > 0 {}
  }

  private static func openPipe() {
    guard wakeUps < 0 else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    state.pointee.pipeEnds = (ends[0], ends[1])
  }

  private static func wakeUp() { write("!", to: state.pointee.pipeEnds.writing) }

  /// Shows what is typed, until the end of a line.
  static func beginLine() {
    guard state.pointee.isTaken else { return }
    state.pointee.readsLine = true
    tcsetattr(0, TCSANOW, &state.pointee.saved)
    write("\u{1B}[?25h", to: state.pointee.descriptor)
  }

  /// Goes to single keys, or back to them.
  static func begin() {
    guard state.pointee.isTaken else { return }
    state.pointee.readsLine = false
    var raw = state.pointee.saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { codes in
      codes[Int(VMIN)] = 1
      codes[Int(VTIME)] = 0
    }
    tcsetattr(0, TCSANOW, &raw)
    // Another screen, and no cursor.
    write("\u{1B}[?1049h\u{1B}[?25l", to: state.pointee.descriptor)
  }

  private static func restore() {
    // The settings first: once the old screen is there, a user may type.
    tcsetattr(0, TCSANOW, &state.pointee.saved)
    write("\u{1B}[?25h\u{1B}[?1049l", to: state.pointee.descriptor)
  }

  private static func end(_ number: Int32) {
    restore()
    sigaction(number, before + Int(number), nil)
    raise(number)
  }

  private static func stop() {
    restore()
    raise(SIGSTOP)
  }

  private static func goOn() {
    if state.pointee.readsLine { beginLine() } else { begin() }
    wakeUp()
  }

  private static func write(_ sequence: StaticString, to descriptor: Int32) {
    _ = CLibrary.write(descriptor, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }
}

/// What a key does while pages are shown.
package enum Key: Sendable, Equatable {
  /// Enter, space, n, the arrow to the right or down, page down.
  case forward
  /// b, p, backspace, the arrow to the left or up, page up.
  case back
  /// e: the next ending.
  case next
  /// q, or the end of the input.
  case quit

  /// The keys in what a terminal has sent; what is not known is left out.
  package static func read(_ bytes: some Collection<UInt8>) -> [Key] {
    var (keys, rest) = ([Key?](), Array(bytes)[...])
    while let byte = rest.popFirst() { keys.append(byte == 0x1B ? sequence(&rest) : single(byte)) }
    return keys.compactMap(\.self)
  }

  private static func single(_ byte: UInt8) -> Key? {
    switch Unicode.Scalar(byte) {
    case "\n", "\r", " ", "n": .forward
    case "b", "p", "\u{8}", "\u{7F}": .back
    case "e": .next
    case "q", "\u{4}": .quit
    default: nil
    }
  }

  /// What follows an escape: `[C`, `OC`, `[6~`; an escape alone means nothing.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    guard let first = rest.first, "[O".utf8.contains(first) else { return nil }
    rest.removeFirst()
    let parameters = rest.prefix { (0x20...0x3F).contains($0) }
    rest = rest.dropFirst(parameters.count)
    switch (rest.popFirst().map(Unicode.Scalar.init), parameters.first.map(Unicode.Scalar.init)) {
    case ("C", _), ("B", _), ("~", "6"): return .forward
    case ("D", _), ("A", _), ("~", "5"): return .back
    default: return nil
    }
  }
}
