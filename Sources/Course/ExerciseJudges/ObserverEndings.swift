import MemlabKit

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
