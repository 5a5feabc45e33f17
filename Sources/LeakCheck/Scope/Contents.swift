/// Finds the objects in what a body returns.
enum Contents {
  /// The value itself if it is an object, and otherwise those in its optionals, tuples, collections
  /// and structures. What an object holds is not looked into.
  static func objects(in value: Any) -> [AnyObject] {
    if type(of: value) is AnyClass { return [value as AnyObject] }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != nil else { return [] }
    return mirror.children.flatMap { objects(in: $0.value) }
  }
}
