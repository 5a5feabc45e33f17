import CChildProcess
import FoundationEssentials
import Glibc

/// What came of a piece of work that was done in a process of its own.
package struct Isolated<Value: Sendable>: Sendable {
  /// Its result; nil when the process ended before it had one.
  package let value: Value?
  /// How the process ended.
  package let end: ChildEnd
  /// The step of a trial that it had come to, from 1; 0 when none had begun.
  package let step: Int
  /// How long it took, on a clock that never stops.
  package let duration: Duration
  /// What it wrote to its standard output and standard error.
  package let written: String
}

/// Does pieces of work in processes of their own, each a copy of this one as it is now.
///
/// This process must have one thread. It waits, and so stays as it is: whatever a piece of work does
/// to its process, no other piece sees it.
package final class IsolatedWork<Value: Codable & Sendable> {
  private struct Child {
    let place: Int
    let id: pid_t
    let mailbox: Mailbox
    let output: Int32
    let start: Duration
  }

  private let count: Int
  private let width: Int
  private let limit: Duration?
  private let work: (Int) -> Value
  private let standstill: @Sendable (Int, TrialError) -> Value
  private var started = 0
  private var told = 0
  private var children: [Child] = []
  private var finished: [Int: Isolated<Value>] = [:]

  /// Work that has not begun.
  ///
  /// - Parameters:
  ///   - count: how many pieces there are.
  ///   - width: how many are done at a time.
  ///   - limit: how long the code of a step may stand still; nil for as long as it likes.
  ///   - work: does the piece of this place, counted from 0; called in the child.
  ///   - standstill: the result of a piece whose code stands still; called in the child, on another
  ///     thread.
  package init(
    count: Int, width: Int, limit: Duration?, work: @escaping (Int) -> Value,
    standstill: @escaping @Sendable (Int, TrialError) -> Value
  ) {
    (self.count, self.width, self.limit) = (count, max(width, 1), limit)
    (self.work, self.standstill) = (work, standstill)
    // A program that ignores this signal is not told how its children end.
    signal(SIGCHLD, SIG_DFL)
  }

  deinit {
    for child in children {
      kill(child.id, SIGKILL)
      _ = Self.wait(for: child.id)
      close(child.output)
    }
  }

  /// What came of the next piece, in the order of the pieces; waits for it.
  package func next() -> Isolated<Value> {
    precondition(told < count, "there are only \(count) pieces of work")
    while true {
      startChildren()
      if let result = finished.removeValue(forKey: told) {
        told += 1
        return result
      }
      reap()
    }
  }

  // MARK: - In the parent

  private func startChildren() {
    while children.count < width, started < count {
      start(started)
      started += 1
    }
  }

  private func start(_ place: Int) {
    guard let mailbox = Mailbox() else { return fail(place) }
    let output = child_process_output()
    let start = RealTime.now()
    let id = child_process_fork(output)
    if id == 0 { run(place, mailbox) }
    guard id > 0 else { return fail(place) }
    children.append(
      Child(place: place, id: id, mailbox: mailbox, output: output, start: start))
  }

  private func fail(_ place: Int) {
    finished[place] = Isolated(
      value: nil, end: .neverStarted(errno), step: 0, duration: .zero, written: "")
  }

  /// Waits until any child has ended.
  private func reap() {
    let (id, end) = Self.wait(for: -1)
    guard let index = children.firstIndex(where: { $0.id == id }) else { return }
    let child = children.remove(at: index)
    defer { close(child.output) }
    let value = child.mailbox.content.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    finished[child.place] = Isolated(
      value: value, end: end, step: child.mailbox.step,
      duration: RealTime.now() - child.start,
      written: Self.text(of: child.output))
  }

  private static func wait(for id: pid_t) -> (id: pid_t, end: ChildEnd) {
    var status = Int32()
    while true {
      let ended = waitpid(id, &status, 0)
      if ended > 0 { return (ended, ChildEnd(status: status)) }
      precondition(errno == EINTR, "a child process is gone that nobody has waited for")
    }
  }

  private static func text(of output: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(output, &buffer, buffer.count, 0)
    guard count > 0 else { return "" }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    return count < buffer.count ? text : text + "\n… (the rest is left out)\n"
  }

  // MARK: - In the child

  private func run(_ place: Int, _ mailbox: Mailbox) -> Never {
    Watchdog.follow { mailbox.step = $0.step }
    if let limit {
      Watchdog.start(limit: limit) { [standstill] error in
        Self.leave(standstill(place, error), in: mailbox)
      }
    }
    Self.leave(work(place), in: mailbox)
  }

  // At once, without what the program does at its end: that is the parent's.
  private static func leave(_ value: Value, in mailbox: Mailbox) -> Never {
    if let content = try? JSONEncoder().encode(value) { mailbox.put(content) }
    _exit(0)
  }
}

/// Whether work can be done in processes of its own.
package enum Isolation {
  /// Whether this build can copy its process.
  package static var isAvailable: Bool { child_process_available() }

  /// How many processes work at a time: as many as there are processors for this process.
  package static var width: Int { ProcessInfo.processInfo.activeProcessorCount }
}
