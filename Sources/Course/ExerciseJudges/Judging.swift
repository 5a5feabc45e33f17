import MemlabKit
import Synchronization

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
