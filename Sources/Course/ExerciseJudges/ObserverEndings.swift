import MemlabKit

/// The endings of an object that observes a source, which lives as long as the app: exercises 15
/// and 17.
struct ObserverEndings<Source: AnyObject, Observer: AnyObject, Value: Equatable>: Sendable {
  /// The type of the observer, as its probe has it.
  let type: String
  /// What an observer is called: "lamp".
  let name: String
  /// What is written of the steps: one observer is made, or two of one source and one of another;
  /// many values are sent, or two of each source, or many of each, or one.
  let words: (made: String, threeMade: String, many: String, two: String, more: String, one: String)
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

  /// One is dropped after many values, one of three is, and one is before a value.
  @EndingList var endings: [Ending] {
    Ending("drop", [type: 1], figures: [figures.lost: 0, figures.observers: 0], run: dropAfterMany)
    Ending("three", [type: 3], figures: ["othersLost": 0, figures.observers: 0], run: dropOfThree)
    Ending("after", [type: 1], figures: [figures.observers: 0], run: dropBeforeOne)
  }

  @Sendable private func dropAfterMany(_ lab: Lab) throws {
    let source = AppWide.keep(source(), for: lab.ledger)
    var observer: Observer?
    let values = values()
    try lab.step(words.made) { observer = self.observer(source) }
    try lab.step(words.many) { for value in values { send(source, value) } }
    lab.ledger.setMetric(figures.lost, lost(observer, values))
    // At once: what its end only begins is not done when the next value comes.
    try lab.release("the \(name) is dropped") {
      observer = nil
      lab.ledger.setMetric(figures.observers, count(source))
    }
    withExtendedLifetime(observer) {}
  }

  // The third is at another source, where the tokens are the same again; what observers share has the
  // values of both.
  @Sendable private func dropOfThree(_ lab: Lab) throws {
    let sources = (0..<2).map { _ in AppWide.keep(source(), for: lab.ledger) }
    var observers: [Observer] = []
    let values = sources.map { _ in self.values() }
    try lab.step(words.threeMade) { observers = [0, 0, 1].map { observer(sources[$0]) } }
    try lab.step(words.two) {
      for place in 0..<2 {
        for (source, values) in zip(sources, values) { send(source, values[place]) }
      }
    }
    try lab.release("the second \(name) is dropped") { _ = observers.remove(at: 1) }
    try lab.step(words.more) {
      for (source, values) in zip(sources, values) {
        for value in values.dropFirst(2) { send(source, value) }
      }
    }
    lab.ledger.setMetric("othersLost", zip(observers, values).reduce(0) { $0 + lost($1.0, $1.1) })
    try lab.release("the other \(name)s are dropped") { observers = [] }
    lab.ledger.setMetric(figures.observers, sources.reduce(0) { $0 + count($1) })
  }

  @Sendable private func dropBeforeOne(_ lab: Lab) throws {
    let source = AppWide.keep(source(), for: lab.ledger)
    var observer: Observer?
    try lab.step(words.made) { observer = self.observer(source) }
    try lab.release("the \(name) is dropped") { observer = nil }
    try lab.step(words.one) { send(source, values()[0]) }
    lab.ledger.setMetric(figures.observers, count(source))
    withExtendedLifetime(observer) {}
  }

  private func lost(_ observer: Observer?, _ values: [Value]) -> Int {
    values.count - (observer.map(received) ?? []).right(of: values)
  }
}
