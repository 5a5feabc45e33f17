package import MemlabKit
import Synchronization

/// What judges an exercise, generic over the learner's types.
package protocol Judge {
  /// What is done with the learner's code, and what is measured then.
  @EndingList static var endings: [Ending] { get }
}

/// Makes a list of the endings that a judge writes one below the other.
@resultBuilder
package enum EndingList {
  /// The list.
  package static func buildBlock(_ endings: Ending...) -> [Ending] { endings }
}

/// What holds the learner's objects; its methods are the steps of the endings.
package class JudgeStage {
  /// Where the steps are done.
  final let lab: Lab

  /// Holds nothing yet.
  init(_ lab: Lab) { self.lab = lab }
}

/// The steps of an ending: methods of a stage, in order.
typealias Steps<Stage> = (Stage) -> [() throws -> Void]

extension Judge {
  /// The exercise, with the texts of the file in `Files` that is named after the judge.
  package static var exercise: Exercise {
    Exercise(textsOf: String("\(Self.self)".prefix { $0 != "<" }), endings: endings)
  }
}

extension Exercise {
  /// An exercise with the texts of a judge's file: a line for each, with the name before a colon.
  ///
  /// Its number is in the name of the folder that it is in.
  init(textsOf judge: String, endings: [Ending]) {
    let lines = (Embedded.files["\(judge).txt"] ?? "").replacing("\n  ", with: " ")
    let texts = Dictionary(
      uniqueKeysWithValues: lines.split(separator: "\n").map { line in
        let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      })
    func named(_ prefix: String) -> [String: String] {
      let all = texts.filter { $0.key.hasPrefix(prefix) }
      return Dictionary(uniqueKeysWithValues: all.map { (String($0.dropFirst(prefix.count)), $1) })
    }
    func only(_ name: String) -> String {
      guard let text = texts[name] else { preconditionFailure("\(judge) has no text '\(name)'") }
      return text
    }
    let file = only("file")
    self.init(
      number: String(file.prefix(2)), title: only("title"), lesson: only("lesson"), file: file,
      hint: only("hint"), secondHint: only("second hint"), figures: named("figure "),
      advice: named("advice "),
      endings: endings.map {
        $0.told(
          title: only("ending \($0.name)"),
          explanation: texts["explanation \($0.name)"] ?? only("explanation"))
      })
  }
}

/// Values that nobody can know before the run, so that only code that passes them on has them.
enum Secret {
  /// A random number, from 1 to the limit.
  static func number(upTo limit: Int = 9_999) -> Int { Int.random(in: 1...limit) }

  /// This many random numbers, no two of them equal.
  static func numbers(_ count: Int) -> [Int] { different(count) { number() } }

  /// The numbers from zero in a random order.
  static func order(of count: Int) -> [Int] { (0..<count).shuffled() }

  /// A random word of 5 to 12 letters, longer than the words that exercise 19 forbids.
  static func word() -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    return String((0..<Int.random(in: 5...12)).compactMap { _ in letters.randomElement() })
  }

  /// This many random words, no two of them equal.
  static func words(_ count: Int) -> [String] { different(count, word) }

  private static func different<Value: Hashable>(_ count: Int, _ make: () -> Value) -> [Value] {
    var values: Set<Value> = []
    while values.count < count { values.insert(make()) }
    return Array(values)
  }
}

/// What a judge has seen, kept where the learner's code cannot reach it.
final class Seen<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// Everything so far, in order.
  var all: [Value] { values.withLock { $0 } }

  /// Adds what was seen.
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}

extension Array where Element: Equatable {
  /// How many of the expected values are at their places, minus one for each value too many.
  func right(of expected: [Element]) -> Int {
    zip(self, expected).count { $0 == $1 } - Swift.max(0, count - expected.count)
  }
}

/// Lets nobody through until it is opened. Sleeping could not replace it: no time is long enough.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
    (false, []))

  /// Waits until it is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets all through, those who wait and those who come later.
  func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// A value that somebody waits for until the judge lets it come, or until the task is cancelled.
struct Awaited<Value: Sendable>: Sendable {
  /// Is thrown where there is no value. No other code can make one.
  struct Refused: Error {}

  /// What comes; nil where that is an error.
  let value: Value?
  private let gate = Gate()
  private let waits = Seen<Bool>()

  /// Whether somebody waits for it; nil before anybody has come.
  var isUnderWay: Bool? { waits.all.last }

  /// Waits for it, and returns or throws it; throws as well when the task is cancelled.
  func get() async throws -> Value {
    waits.add(true)
    defer { waits.add(false) }
    await withTaskCancellationHandler(operation: gate.pass, onCancel: gate.open)
    try Task.checkCancellation()
    guard let value else { throw Refused() }
    return value
  }

  /// Lets it come.
  func come() { gate.open() }
}

extension Ending {
  /// An ending of an exercise; its title and its explanation are in the exercise's file.
  ///
  /// - Parameters:
  ///   - objects: how many objects of each type are created and deinitialised; 0 is left out.
  ///   - tasks: how many tasks of each name are started and have finished.
  ///   - figures: the figures that are right.
  init(
    _ name: String, _ objects: KeyValuePairs<String, Int>, tasks: KeyValuePairs<String, Int> = [:],
    figures: [Metric: Int] = [:],
    judge: @escaping @Sendable (Totals) -> Verdict = { .measured(from: $0) },
    run: @escaping @Sendable (Lab) throws -> Void
  ) {
    let expects = Declaration(
      .clean,
      objects: objects.filter { $1 > 0 }.map { ObjectCount($0, created: $1, deinitialized: $1) },
      tasks: tasks.map { TaskCount($0, started: $1, finished: $1) }, metrics: figures)
    self.init(name, "", expects: expects, judge: judge, run: run)
  }

  /// The same, where the steps are methods of a stage, which holds what is judged.
  init<Stage>(
    _ name: String, _ objects: KeyValuePairs<String, Int>, tasks: KeyValuePairs<String, Int> = [:],
    figures: [Metric: Int] = [:], on stage: @escaping (Lab) throws -> Stage,
    steps: @escaping Steps<Stage>
  ) {
    self.init(name, objects, tasks: tasks, figures: figures) { lab in
      for step in steps(try stage(lab)) { try step() }
    }
  }
}
