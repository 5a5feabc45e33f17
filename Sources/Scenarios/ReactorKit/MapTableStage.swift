import MemlabKit
import Patterns

/// A key and a value that are counted, and the acts of the endings that they are put through.
final class MapTableStage {
  /// What a table knows a value by.
  final class Key: WeakMapKey {
    let deathHook = DeathHook()
    private let probe = Probe(Key.self)
    // Of a size that nothing else here has, so that the next key gets the address of the last one.
    private let padding = (Padding(), Padding(), Padding(), Padding(), Padding(), Padding())
  }

  /// As large as a key, and not counted.
  private final class KeySized {
    private let hookAndProbe = (0, 0, 0)
    private let padding = (Padding(), Padding(), Padding(), Padding(), Padding(), Padding())
  }

  private struct Padding {
    var words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }

  /// What belongs to a key.
  final class Value {
    private let probe = Probe(Value.self)
  }

  private let lab: Lab
  private let valueForKey: (Key) -> Value
  private var key: Key?

  /// A stage with a table that the app keeps.
  ///
  /// - Parameter valueForKey: asks the table for a key's value.
  init<Table: AnyObject>(
    _ lab: Lab, _ table: Table, valueForKey: @escaping (Table, Key) -> Value
  ) {
    // The document's tables are `static let`: they go when the process does.
    AppWide.keep(table, for: lab.ledger)
    self.lab = lab
    self.valueForKey = { valueForKey(table, $0) }
  }

  /// Makes a key, and has the table make a value for it.
  func store() throws {
    try lab.step("a value is made for a key") { use(Self.freshKey()) }
  }

  /// Drops the key, and enters how many values are left.
  func dropKey() throws {
    try lab.release("the key is dropped") { forgetKey() }
  }

  /// Drops the key, and makes another one where it was.
  func reuseAddress() throws {
    let address = key.map { ObjectIdentifier($0) }
    let values = valueCount.created
    // In one step, for somebody else may get the address between two; and with nothing of that size
    // left in the allocator's store, which would be given out first.
    try lab.step("the key is dropped; another one gets its address") {
      Self.withNothingInStore {
        forgetKey()
        key = Self.keyAt(address)
      }
    }
    lab.ledger.setMetric("addressesReused", key.map { ObjectIdentifier($0) } == address ? 1 : 0)
    try lab.step("that one asks for its value") { key.map(use) }
    lab.ledger.setMetric("valuesInherited", valueCount.created == values ? 1 : 0)
    try lab.release("that one is dropped, too") { key = nil }
  }

  // A free block that is a little too large to be cut down is given out whole, and goes back to where
  // larger ones are asked for. So the key takes a new block, cut to its size.
  private static func freshKey() -> Key { withNothingInStore { Key() } }

  private static func withNothingInStore<Result>(_ action: () -> Result) -> Result {
    let store = (0..<1024).map { _ in KeySized() }
    return withExtendedLifetime(store, action)
  }

  // Takes what the allocator gives until it gives the address; what is given back last is given out
  // next.
  private static func keyAt(_ address: ObjectIdentifier?) -> Key {
    var others: [KeySized] = []
    for _ in 0..<1024 {
      let candidate = KeySized()
      if ObjectIdentifier(candidate) == address { break }
      others.append(candidate)
    }
    return withExtendedLifetime(others) { Key() }
  }

  private var valueCount: ObjectCount { lab.ledger.totals.object("Value") }

  private func forgetKey() {
    key = nil
    lab.ledger.setMetric("valuesWithoutKey", valueCount.alive)
  }

  /// Does something with the table.
  func use(_ text: String, _ action: () -> Void) throws {
    try lab.release(text, action)
  }

  private func use(_ key: Key) {
    self.key = key
    _ = valueForKey(key)
  }
}

extension Declaration {
  /// The counts of keys and values.
  static func table(
    _ verdict: Verdict, keys: (created: Int, gone: Int), values: (created: Int, gone: Int),
    metrics: [Metric: Int]
  ) -> Declaration {
    Declaration(
      verdict,
      objects: [
        ObjectCount("Key", created: keys.created, deinitialized: keys.gone),
        ObjectCount("Value", created: values.created, deinitialized: values.gone),
      ],
      metrics: metrics)
  }
}
