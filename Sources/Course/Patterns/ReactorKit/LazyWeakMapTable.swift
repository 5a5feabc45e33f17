/// Values that belong to objects. Each is released some time after its object, when the table is
/// used again.
///
/// This needs no help from the key: a weak reference becomes nil, but only a reader of the table
/// notices. Foundation's `NSMapTable` with weak keys works like this.
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
