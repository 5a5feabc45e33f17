import MemlabKit

/// An actor that hands out streams, and those who read these and hold nothing else: exercises 03 and
/// 13.
package class Audience<Source: Actor, Value: Equatable & Sendable>: JudgeStage {
  /// One who reads a stream.
  private final class Listener {
    var expected: [Value]
    var hasLeft = false
    var task: Task<Void, Never>?
    let seen = Seen<Value>()

    init(expecting expected: [Value]) { self.expected = expected }
  }

  /// The actor.
  final var source: Source?
  private var listeners: [Listener] = []

  /// One more takes a stream at once, and reads it when the gate is open.
  ///
  /// - Parameters:
  ///   - name: the name of the task.
  ///   - what: what this one does, as a phrase without the name.
  ///   - expected: what must be received besides all that is sent from now on.
  ///   - gate: where this one waits before reading; nil for nowhere.
  ///   - stream: asks the actor for the stream.
  final func listen(
    _ name: String, _ what: String, expecting expected: [Value] = [], after gate: Gate?,
    to stream: @escaping @Sendable (Source) async -> AsyncStream<Value>
  ) throws {
    let listener = Listener(expecting: expected)
    listeners.append(listener)
    try lab.step("\(name) \(what)") {
      guard let source else { return }
      let stream = Task { await stream(source) }
      listener.task = Task(probe: name) { [seen = listener.seen] in
        let values = await stream.value
        await gate?.pass()
        for await value in values {
          Ledger.current?.note("received")
          seen.add(value)
        }
      }
    }
  }

  /// Sends values to all who have not left.
  final func send(
    _ values: [Value], _ what: String, by send: @escaping @Sendable (Source, Value) async -> Void
  ) throws {
    for listener in listeners where !listener.hasLeft { listener.expected += values }
    try lab.step(what) { tell { source in for value in values { await send(source, value) } } }
  }

  /// Cancels the task of one.
  final func leave(_ place: Int, _ what: String) throws {
    listeners[place].hasLeft = true
    try lab.release(what) { listeners[place].task?.cancel() }
  }

  /// What the actor says of how many listen; -1 if it says nothing.
  final func count(_ what: String, _ count: @escaping @Sendable (Source) async -> Int) throws -> Int
  {
    let counts = Seen<Int>()
    try lab.step(what) { tell { counts.add(await count($0)) } }
    return counts.all.last ?? -1
  }

  /// Drops the actor.
  final func drop(_ what: String) throws { try lab.release(what) { source = nil } }

  /// Drops the first actor, and enters what those who listen to all of them have received in its
  /// order, and how many of them are left.
  static func close(_ stages: [Audience], _ what: String, received: Metric, left: Metric) throws {
    try stages[0].drop(what)
    let ledger = stages[0].lab.ledger
    ledger.setMetrics([
      left: ledger.totals.liveTasks, received: stages.reduce(0) { $0 + $1.right },
    ])
  }

  private var right: Int { listeners.reduce(0) { $0 + $1.seen.all.right(of: $1.expected) } }

  private func tell(_ action: @escaping @Sendable (Source) async -> Void) {
    guard let source else { return }
    Task { await action(source) }
  }
}
