import MemlabPlatform

/// How a child process ended.
package enum ChildEnd: Sendable, Equatable {
  /// It ended by itself, with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// It was never made, for the reason with this `errno`.
  case neverStarted(Int32)

  /// Reads what `wait4` has given. The macros of `wait(2)` do not reach Swift.
  init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Why the child has no result, as a clause.
  package var reason: String {
    switch self {
    case .exited(let code): "its process ended early, with code \(code)"
    case .signalled(let signal) where Self.crashes.contains(signal):
      "the code has crashed with signal \(signal) (\(Self.name(of: signal)))"
    case .signalled(let signal):
      "its process was ended by signal \(signal) (\(Self.name(of: signal)))"
    case .neverStarted(let code):
      "no process could be made for it (\(strerror(code).map { String(cString: $0) } ?? "\(code)"))"
    }
  }

  private static let crashes: Set = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

  private static func name(of signal: Int32) -> String {
    strsignal(signal).map { String(cString: $0) } ?? "unknown"
  }
}
