#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
