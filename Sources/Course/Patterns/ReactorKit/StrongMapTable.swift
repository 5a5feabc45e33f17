/// Values that belong to objects, and are never released.
///
/// What a dictionary does. If it identifies keys by address only, a value stays after its key is
/// deinitialised, and the next object at that address inherits it. If it also holds the keys, not
/// even a key is deinitialised.
// snippet:code
public final class StrongMapTable<Key: AnyObject, Value> {
  private let holdsKeys: Bool
  private var entries: [ObjectIdentifier: (key: Key?, value: Value)] = [:]

  /// An empty table.
  ///
  /// - Parameter holdsKeys: whether the table keeps its keys alive.
  public init(holdsKeys: Bool) { self.holdsKeys = holdsKeys }

  /// The value of a key, made on first use.
  public func value(forKey key: Key, default makeValue: @autoclosure () -> Value) -> Value {
    if let entry = entries[ObjectIdentifier(key)] { return entry.value }
    let value = makeValue()
    entries[ObjectIdentifier(key)] = (holdsKeys ? key : nil, value)
    return value
  }
}
// snippet:end
