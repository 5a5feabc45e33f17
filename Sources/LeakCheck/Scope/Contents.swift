internal import HeapGraph

/// Finds the objects in what a body returns.
enum Contents {
  /// The value itself if it is an object, and otherwise those in its optionals, tuples, collections
  /// and structures. What an object holds is not looked into, nor what the structures of the system's
  /// libraries keep: time zones and calendars refer to objects that all share. Key paths are kept by
  /// the runtime.
  static func objects(in value: Any) -> [AnyObject] {
    if type(of: value) is AnyClass { return value is AnyKeyPath ? [] : [value as AnyObject] }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != nil,
      !SystemTypes.contain(TypeName.qualified(type(of: value)))
    else { return [] }
    return mirror.children.flatMap { objects(in: $0.value) }
  }
}
