import MemlabKit
import Synchronization

extension Exercise {
  /// An exercise with the texts of its file in `Files`: a line for each, with the name before a colon.
  init(number: String, endings: [Ending]) {
    var texts: [(name: String, text: String)] = []
    for line in (Embedded.files["\(number).txt"] ?? "").split(separator: "\n") {
      if line.hasPrefix("  ") {
        texts[texts.count - 1].text += line.dropFirst()
      } else if let colon = line.firstRange(of: ": ") {
        texts.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
      }
    }
    func named(_ prefix: String) -> [String: String] {
      let found = texts.filter { $0.name.hasPrefix(prefix) }
      return Dictionary(
        uniqueKeysWithValues: found.map { (String($0.name.dropFirst(prefix.count)), $0.text) })
    }
    func only(_ name: String) -> String {
      guard let text = named(name)[""] else {
        preconditionFailure("exercise \(number) has no text for its \(name)")
      }
      return text
    }
    self.init(
      number: number, title: only("title"), lesson: only("lesson"), file: only("file"),
      hint: only("hint"), secondHint: only("second hint"), figures: named("figure "),
      advice: named("advice "), endings: endings)
  }
}

/// Values that nobody can know before the run, so that only code that passes them on has them.
enum Secret {
  /// A random number, from 1 to the limit.
  static func number(upTo limit: Int = 9_999) -> Int { Int.random(in: 1...limit) }

  /// This many random numbers, no two of them equal.
  static func numbers(_ count: Int) -> [Int] {
    var numbers: [Int] = []
    while numbers.count < count {
      let number = number()
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }

  /// The numbers from zero in a random order.
  static func order(of count: Int) -> [Int] { (0..<count).shuffled() }

  /// A random word of 5 to 12 letters, longer than the words that exercise 19 forbids.
  static func word() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return String((0..<Int.random(in: 5...12)).map { _ in letters[Int.random(in: 0..<26)] })
  }

  /// This many random words, no two of them equal.
  static func words(_ count: Int) -> [String] {
    var words: [String] = []
    while words.count < count {
      let word = word()
      if !words.contains(word) { words.append(word) }
    }
    return words
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

extension Seen where Value: Equatable {
  /// How many of the expected values were seen at their places, minus one for each value too many.
  func right(of expected: [Value]) -> Int { all.right(of: expected) }
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

extension Ledger {
  /// Enters several figures.
  func setMetrics(_ figures: KeyValuePairs<Metric, Int>) {
    for (name, value) in figures { setMetric(name, value) }
  }
}

/// One who reads a stream that an actor hands out, and holds only the stream.
final class Listener<Value: Equatable & Sendable> {
  /// The values that it should receive, in order.
  var expected: [Value]
  /// Whether it was cancelled.
  private(set) var hasLeft = false
  private let seen = Seen<Value>()
  private var task: Task<Void, Never>?

  /// A listener that should receive these values, and does not listen yet.
  init(expecting expected: [Value] = []) { self.expected = expected }

  /// How many values it has received in their order.
  var right: Int { seen.right(of: expected) }

  /// Takes a stream at once, and reads it when the gate is open.
  func listen(
    _ name: String, after gate: Gate?, to stream: @escaping @Sendable () async -> AsyncStream<Value>
  ) {
    let stream = Task { await stream() }
    task = Task(probe: name) { [seen] in
      let values = await stream.value
      await gate?.pass()
      for await value in values {
        Ledger.current?.note("received")
        seen.add(value)
      }
    }
  }

  /// Cancels its task.
  func leave() { task?.cancel() }

  /// Expects no more values.
  func expectNoMore() { hasLeft = true }
}

extension Declaration {
  /// What a solved ending measures: of these objects and tasks, by name, nothing is left.
  ///
  /// - Parameters:
  ///   - objects: how many of each type are created.
  ///   - tasks: how many of each name are started.
  ///   - figures: the figures of the ending.
  static func solved(
    _ objects: KeyValuePairs<String, Int>, tasks: KeyValuePairs<String, Int> = [:],
    _ figures: [Metric: Int] = [:]
  ) -> Declaration {
    Declaration(
      .clean,
      objects: objects.map { ObjectCount($0.key, created: $0.value, deinitialized: $0.value) },
      tasks: tasks.map { TaskCount($0.key, started: $0.value, finished: $0.value) },
      metrics: figures)
  }
}

/// The endings of an object that observes a source, which lives as long as the app: exercises 15
/// and 17.
struct ObserverEndings<Source: AnyObject, Observer: AnyObject, Value: Equatable>: Sendable {
  /// The type of the observer, as its probe has it.
  let type: String
  /// The figures for the values that one observer has missed, and for the observers of the sources
  /// when all are gone.
  let figures: (lost: Metric, observers: Metric)
  /// Makes a source.
  let source: @Sendable () -> Source
  /// Makes an observer of a source.
  let observer: @Sendable (Source) -> Observer
  /// Makes many values that nobody knows before.
  let values: @Sendable () -> [Value]
  /// Sends a value.
  let send: @Sendable (Source, Value) -> Void
  /// The values that an observer has received, in order.
  let received: @Sendable (Observer) -> [Value]
  /// How many observers a source has.
  let count: @Sendable (Source) -> Int

  /// Many values are sent, then the observer is dropped.
  ///
  /// - Parameter steps: what is done: the observer is made, many values are sent, it is dropped.
  func drop(_ title: String, steps: [String], explanation: String) -> Ending {
    Ending(
      "drop", title, expects: .solved([type: 1], [figures.lost: 0, figures.observers: 0]),
      explanation: explanation
    ) { lab in
      let source = AppWide.keep(source(), for: lab.ledger)
      var observer: Observer?
      let values = values()
      try lab.step(steps[0]) { observer = self.observer(source) }
      try lab.step(steps[1]) { for value in values { send(source, value) } }
      lab.ledger.setMetric(figures.lost, lost(observer, values))
      try lab.release(steps[2]) { observer = nil }
      lab.ledger.setMetric(figures.observers, count(source))
      withExtendedLifetime(observer) {}
    }
  }

  /// The second of three observers is dropped, then the others.
  ///
  /// The third is at another source, where the tokens are the same again; what observers share has the
  /// values of both.
  ///
  /// - Parameter steps: what is done: three are made, two values are sent, the second is dropped, many
  ///   more are sent, the others are dropped.
  func three(_ title: String, steps: [String], explanation: String) -> Ending {
    Ending(
      "three", title, expects: .solved([type: 3], ["othersLost": 0, figures.observers: 0]),
      explanation: explanation
    ) { lab in
      let sources = (0..<2).map { _ in AppWide.keep(source(), for: lab.ledger) }
      var observers: [Observer] = []
      let values = sources.map { _ in self.values() }
      try lab.step(steps[0]) { observers = [0, 0, 1].map { observer(sources[$0]) } }
      try lab.step(steps[1]) {
        for place in 0..<2 {
          for (source, values) in zip(sources, values) { send(source, values[place]) }
        }
      }
      try lab.release(steps[2]) { _ = observers.remove(at: 1) }
      try lab.step(steps[3]) {
        for (source, values) in zip(sources, values) {
          for value in values.dropFirst(2) { send(source, value) }
        }
      }
      lab.ledger.setMetric("othersLost", zip(observers, values).reduce(0) { $0 + lost($1.0, $1.1) })
      try lab.release(steps[4]) { observers = [] }
      lab.ledger.setMetric(figures.observers, sources.reduce(0) { $0 + count($1) })
    }
  }

  /// The observer is dropped, then a value is sent.
  ///
  /// - Parameter steps: what is done: the observer is made, it is dropped, a value is sent.
  func after(_ title: String, steps: [String], explanation: String) -> Ending {
    Ending(
      "after", title, expects: .solved([type: 1], [figures.observers: 0]), explanation: explanation
    ) { lab in
      let source = AppWide.keep(source(), for: lab.ledger)
      var observer: Observer?
      try lab.step(steps[0]) { observer = self.observer(source) }
      try lab.release(steps[1]) { observer = nil }
      try lab.step(steps[2]) { send(source, values()[0]) }
      lab.ledger.setMetric(figures.observers, count(source))
      withExtendedLifetime(observer) {}
    }
  }

  private func lost(_ observer: Observer?, _ values: [Value]) -> Int {
    values.count - (observer.map(received) ?? []).right(of: values)
  }
}
