/// Values that belong to objects, and go some time after those, when the table is used again.
///
/// What can be had without the key's help: a weak reference tells that the key has gone, but only
/// to somebody who looks. Foundation's `NSMapTable` with weak keys works like this.
// snippet:code
public final class LazyWeakMapTable<Key: AnyObject, Value> {
  private struct Entry {
    weak var key: Key?
    var value: Value
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// An empty table.
  public init() {}

  /// How many values there are; throws away those of keys that have gone.
  public var count: Int {
    removeOrphans()
    return entries.count
  }

  /// The value of a key, made on first use; throws away the values of keys that have gone.
  public func value(forKey key: Key, default makeValue: @autoclosure () -> Value) -> Value {
    removeOrphans()
    if let entry = entries[ObjectIdentifier(key)] { return entry.value }
    let value = makeValue()
    entries[ObjectIdentifier(key)] = Entry(key: key, value: value)
    return value
  }

  private func removeOrphans() {
    entries = entries.filter { $0.value.key != nil }
  }
}
// snippet:end
