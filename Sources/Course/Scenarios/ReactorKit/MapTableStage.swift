import MemlabKit
import MemlabPatterns

/// A counted key and a counted value, and the steps of their endings.
final class MapTableStage {
  /// A key of the table.
  final class Key: WeakMapKey {
    /// Tells the tables when this object is deinitialised.
    let deathHook = DeathHook()
    private let probe = Probe(Key.self)
    // No other object here has this size, so the next key gets the address of the last one.
    private let padding = (Padding(), Padding(), Padding(), Padding(), Padding(), Padding())
  }

  /// An object as large as a key, not counted.
  private final class KeySized {
    private let hookAndProbe = (0, 0, 0)
    private let padding = (Padding(), Padding(), Padding(), Padding(), Padding(), Padding())
  }

  private struct Padding {
    var words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  }

  /// A value that belongs to a key.
  final class Value {
    private let probe = Probe(Value.self)
  }

  private let lab: Lab
  private let valueForKey: (Key) -> Value
  private let countValues: () -> Int
  @Variable("key") private var key: Key?

  /// A stage with a table that the app keeps.
  ///
  /// - Parameters:
  ///   - count: asks the table for its count, where it has one.
  ///   - valueForKey: asks the table for a key's value.
  init<Table: AnyObject>(
    _ lab: Lab, _ table: Table, count: @escaping () -> Int = { 0 },
    valueForKey: @escaping (Table, Key) -> Value
  ) {
    // The document's tables are `static let`, so they live as long as the process.
    AppWide.keep(table, for: lab.ledger)
    (self.lab, countValues) = (lab, count)
    self.valueForKey = { valueForKey(table, $0) }
  }

  /// Creates a key, and asks the table for its value.
  func store() throws { try lab.step("a value is made for a key") { use(Self.freshKey()) } }

  /// Drops the key, and records how many values are left.
  func dropKey() throws { try lab.release("the key is dropped") { forgetKey() } }

  /// Drops the key, and creates another one at the same address.
  func reuseAddress() throws {
    let address = key.map { ObjectIdentifier($0) }
    let values = valueCount.created
    // This takes one step, because another allocation could get the address between two steps. The
    // allocator's cache must hold no other block of that size, because it would be returned first.
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

  // The allocator returns a free block that is only a little too large without splitting it, and
  // later puts it back among the larger ones. So the key needs a new block, cut to its size.
  private static func freshKey() -> Key { withNothingInStore { Key() } }

  private static func withNothingInStore<Result>(_ action: () -> Result) -> Result {
    let store = (0..<1024).map { _ in KeySized() }
    return withExtendedLifetime(store, action)
  }

  // Allocates until the allocator returns the address. The block that was freed last is returned
  // first.
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

  /// Asks the table for its count.
  func count() throws { try lab.release("the table is asked for its count") { _ = countValues() } }

  private func use(_ key: Key) {
    self.key = key
    _ = valueForKey(key)
  }
}
