public import MemlabKit
import Synchronization

// snippet:lamp
final class Lamp: @unchecked Sendable {
  var other: Lamp?
  weak var room: Lamp?
  var onClick: (() -> Void)?
  var work: Task<Void, Never>?
  private let probe = Probe(Lamp.self)

  func glow() {}
}
// snippet:end

/// News for as long as the program runs. A task that waits for the next ends when it is cancelled.
func news() -> AsyncStream<Int> { Radio.current.news() }

/// Never returns, also not when the task is cancelled.
func answer() async { await Radio.current.answer() }

/// Keeps a closure for as long as the program runs.
func onNews(_ listener: @escaping @Sendable () -> Void) { Radio.current.keep(listener) }

/// What goes on for as long as a program runs.
private final class Radio: Sendable {
  // Each program has one of its own, and none ever goes: what it holds stays.
  private static let all = Mutex<[Radio]>([])
  private let senders = Mutex<[AsyncStream<Int>.Continuation]>([])
  private let callers = Mutex<[CheckedContinuation<Void, Never>]>([])
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  static var current: Radio { all.withLock { $0[$0.count - 1] } }
  static func begin() { all.withLock { $0.append(Radio()) } }

  func news() -> AsyncStream<Int> {
    AsyncStream { sender in senders.withLock { $0.append(sender) } }
  }
  func answer() async {
    await withCheckedContinuation { caller in callers.withLock { $0.append(caller) } }
  }
  func keep(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }
}

/// Three variables with a lamp each, which every program of the inventory begins with.
final class Lamps {
  @Variable("a") var a: Lamp?
  @Variable("b") var b: Lamp?
  @Variable("c") var c: Lamp?
  private let lab: Lab

  /// Makes the lamps, and news that nobody has asked for yet.
  init(_ lab: Lab) {
    self.lab = lab
    Radio.begin()
    (a, b, c) = (Lamp(), Lamp(), Lamp())
  }

  /// Lets every task run until it waits: what the page does not show.
  func pause() throws { try lab.step("the program goes on") {} }
}

extension Catalog {
  /// The programs of `memlab inventory`: two sets of twelve, of which one is answered before the course
  /// and one after it. No lesson has them.
  public static let inventory: [Scenario] = [
    programs("before", in: "ProgramsBefore.swift") { try $0.before($1) },
    programs("after", in: "ProgramsAfter.swift") { try $0.after($1) },
  ]

  private static func programs(
    _ set: String, in file: String, run: @escaping @Sendable (Lamps, Int) throws -> Void
  ) -> Scenario {
    let code = (1...12).map { "Course/Scenarios/Inventory/\(file)#\(set)-\($0)" }
    return Scenario(
      id: set, title: "the programs \(set) the course", code: code,
      endings: zip(1..., code).map { number, code in
        Ending("\(number)", "the program ends") { lab in
          let lamps = Lamps(lab)
          try run(lamps, number)
          try lamps.pause()
          withExtendedLifetime(lamps) {}
        }
        .running(code)
      })
  }
}
