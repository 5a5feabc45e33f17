import CMemlabLab
import MemlabHeapModel
import MemlabPlatform

/// The result of a piece of work that was done in another process.
package struct Isolated<Value: Sendable>: Sendable {
  /// Its result; nil when the process ended before it had one.
  package let value: Value?
  /// How its process ended.
  package let end: ChildEnd
  /// The step that its process had reached when it ended, from 1; 0 when none had begun.
  package fileprivate(set) var step = 0
  /// What that step does; empty when none had begun.
  package fileprivate(set) var stepText = ""
  /// How long it took, on a clock that never stops.
  package let duration: Duration
  /// What it wrote to its standard output and standard error.
  package fileprivate(set) var written = ""
}

/// Does groups of pieces of work in processes of their own, each a copy of this one as it is now; or,
/// where it is not to make copies, one after the other in this one.
///
/// A process that is copied must have one thread. It only waits, so it does not change, and no group is affected
/// by what another does to its process. When a process ends early, a new one does the rest of its
/// group.
package final class IsolatedWork<Value: Codable & Sendable> {
  private struct Child {
    let places: Range<Int>
    let id: pid_t
    let mailbox: Mailbox
    let output: Int32
    let start: Duration
  }

  private let isApart: Bool
  private let width: Int
  private let limit: Duration?
  private let work: (Int) -> Value
  private let standstill: @Sendable (Int, TrialError) -> Value
  private let endsProcess: (Value) -> Bool
  private let usual: (value: Value?, isIt: (Value) -> Bool)
  private var waiting: [Range<Int>]
  private var delivered = 0
  private var children: [Child] = []
  private var finished: [Int: Isolated<Value>] = [:]

  /// Work that has not begun.
  ///
  /// - Parameters:
  ///   - groups: the numbers of the pieces, from 0 without gaps; each group has a process of its own.
  ///   - isApart: whether it makes copies.
  ///   - width: how many processes work at a time.
  ///   - limit: how long the code of a step may make no progress; nil for any time.
  ///   - work: does the piece of this number; called in the child.
  ///   - standstill: the result of a piece whose code makes no progress; called in the child, on
  ///     another thread.
  ///   - endsProcess: whether a result ends its process, because code under study may still run in it;
  ///     the rest of the group has a new one.
  ///   - usual: the value that most pieces have, of which no message is made.
  ///   - isUsual: whether a value is that one.
  package init(
    groups: [Range<Int>], isApart: Bool = true, width: Int, limit: Duration?,
    work: @escaping (Int) -> Value, standstill: @escaping @Sendable (Int, TrialError) -> Value,
    endsProcess: @escaping (Value) -> Bool = { _ in false },
    usual: Value? = nil, isUsual: @escaping (Value) -> Bool = { _ in false }
  ) {
    (waiting, self.isApart, self.width, self.limit) = (groups, isApart, max(width, 1), limit)
    (self.work, self.standstill, self.endsProcess) = (work, standstill, endsProcess)
    self.usual = (usual, isUsual)
    guard isApart else { return }
    Watchdog.prepareForCopies()
    // `waitpid` fails in a program that ignores this signal.
    signal(SIGCHLD, SIG_DFL)
  }

  deinit {
    for child in children {
      kill(child.id, SIGKILL)
      _ = Self.wait(for: child.id)
      close(child.output)
    }
  }

  /// The result of the next piece, in the order of their numbers; waits for it.
  package func next() -> Isolated<Value> {
    guard isApart else { return runHere() }
    while true {
      if let result = finished.removeValue(forKey: delivered) {
        delivered += 1
        // Often a crash is the last result that is asked for. The rest of its group may crash too, and
        // what prints a crash's backtrace waits forever when the process that has crashed is killed.
        if result.value != nil { startChildren() }
        return result
      }
      startChildren()
      precondition(!children.isEmpty, "there are only \(delivered) pieces of work")
      reap()
    }
  }

  private func runHere() -> Isolated<Value> {
    defer { delivered += 1 }
    let start = RealTime.now()
    let value = work(delivered)
    return Isolated(value: value, end: .exited(0), duration: RealTime.now() - start)
  }

  // MARK: - In the parent

  private func startChildren() {
    while children.count < width, !waiting.isEmpty { start(waiting.removeFirst()) }
  }

  private func start(_ places: Range<Int>) {
    guard let mailbox = Mailbox() else { return fail(places) }
    let output = memlab_child_process_output()
    let start = RealTime.now()
    let id = memlab_child_process_fork(output)
    if id == 0 { run(places, mailbox, output) }
    guard id > 0 else {
      fail(places)
      close(output)
      return
    }
    children.append(Child(places: places, id: id, mailbox: mailbox, output: output, start: start))
  }

  private func fail(_ places: Range<Int>) {
    let end = ChildEnd.neverStarted(errno)
    for place in places { finished[place] = Isolated(value: nil, end: end, duration: .zero) }
  }

  /// Waits until any child has ended, and reads what it has left.
  private func reap() {
    let (id, ended) = Self.wait(for: -1)
    guard let index = children.firstIndex(where: { $0.id == id }) else { return }
    let child = children.remove(at: index)
    defer { close(child.output) }
    var (place, outputStart) = (child.places.lowerBound, 0)
    var (rest, isOver, end) = (RealTime.now() - child.start, false, ended)
    for letter in child.mailbox.letters(most: child.places.count) {
      guard let (message, envelope) = letter,
        let value = message.isEmpty
          ? usual.value : try? PropertyListDecoder().decode(Value.self, from: Data(message))
      else {
        end = .damaged
        break
      }
      let (duration, outputEnd) = (Duration.nanoseconds(envelope.nanoseconds), envelope.outputEnd)
      let written = Self.text(of: child.output, outputStart, outputEnd)
      finished[place] = result(of: child, value, end, duration, written)
      (place, outputStart, rest) = (place + 1, max(outputStart, outputEnd), rest - duration)
      isOver = envelope.isLast
    }
    if place < child.places.upperBound, !isOver {
      let written = Self.text(of: child.output, outputStart, .max)
      finished[place] = result(of: child, nil, end, rest, written)
      place += 1
    }
    if place < child.places.upperBound { waiting.insert(place..<child.places.upperBound, at: 0) }
  }

  private func result(
    of child: Child, _ value: Value?, _ end: ChildEnd, _ duration: Duration, _ written: String
  ) -> Isolated<Value> {
    // Where a result is damaged, its process had gone on to others.
    let (step, text) = end == .damaged ? (0, "") : (child.mailbox.step, child.mailbox.stepText)
    return Isolated(
      value: value, end: end, step: step, stepText: text, duration: duration, written: written)
  }

  private static func wait(for id: pid_t) -> (id: pid_t, end: ChildEnd) {
    var status = Int32()
    while true {
      let ended = waitpid(id, &status, 0)
      if ended > 0 { return (ended, ChildEnd(status: status)) }
      precondition(errno == EINTR, "other code has waited for a child process of memlab's")
    }
  }

  private static func text(of output: Int32, _ start: Int, _ end: Int) -> String {
    guard end > start else { return "" }
    let most = 1 << 16
    var buffer = [UInt8](repeating: 0, count: min(end - start, most))
    let count = pread(output, &buffer, buffer.count, off_t(start))
    guard count > 0 else { return "" }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    return count < most ? text : text + "\n… (the rest is left out)\n"
  }

  // MARK: - In the child

  private func run(_ places: Range<Int>, _ mailbox: Mailbox, _ output: Int32) -> Never {
    Watchdog.follow { place in
      // The text is not the code's under study.
      HeapRecording.withoutRecording {
        (mailbox.step, mailbox.stepText) = (place.step, place.text ?? "")
      }
    }
    if let limit {
      Watchdog.start(limit: limit) { [standstill] error in
        let value = standstill(places.lowerBound + mailbox.count, error)
        Self.leave(value, after: limit, isLast: true, output, in: mailbox)
        _exit(0)
      }
    }
    for place in places {
      (mailbox.step, mailbox.stepText) = (0, "")
      let start = RealTime.now()
      let value = work(place)
      let isLast = endsProcess(value)
      let message = usual.isIt(value) ? Data() : nil
      Self.leave(value, message, after: RealTime.now() - start, isLast: isLast, output, in: mailbox)
      if isLast { break }
    }
    // Without `atexit` handlers and flushing, which are the parent's.
    _exit(0)
  }

  private static func leave(
    _ value: Value, _ message: Data? = nil, after duration: Duration, isLast: Bool, _ output: Int32,
    in mailbox: Mailbox
  ) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    guard let message = try? message ?? encoder.encode(value) else { return }
    mailbox.put(
      message, nanoseconds: Int64(duration / .nanoseconds(1)),
      outputEnd: Int(lseek(output, 0, SEEK_CUR)), isLast: isLast)
  }
}

/// Whether work can be done in processes of its own.
package enum Isolation {
  /// Whether this build can copy its process.
  package static var isAvailable: Bool { memlab_child_process_available() }

  /// How many processes work at a time: as many as there are processors for this process.
  package static var width: Int { ProcessInfo.processInfo.activeProcessorCount }
}

/// How a child process ended.
package enum ChildEnd: Sendable, Equatable {
  /// It ended by itself, with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// It was never made, for the reason with this `errno`.
  case neverStarted(Int32)
  /// It ended, but the message with what it has measured is cut off or changed.
  case damaged

  /// Reads what `waitpid` has given. The macros of `wait(2)` do not reach Swift.
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
    case .damaged: "the message of its process is cut off or damaged"
    case .neverStarted(let code):
      "no process could be made for it (\(strerror(code).map { String(cString: $0) } ?? "\(code)"))"
    }
  }

  private static let crashes: Set = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV]

  private static func name(of signal: Int32) -> String {
    strsignal(signal).map { String(cString: $0) } ?? "unknown"
  }
}
