internal import HeapGraph

/// Finds the objects in what a body returns.
enum Contents {
  /// The value itself if it is an object, and otherwise those in its optionals, tuples, collections
  /// and structures. What an object holds is not looked into, nor what the structures of the system's
  /// libraries keep: time zones and calendars refer to objects that all share. Key paths are kept by
  /// the runtime.
  static func objects(in value: Any) -> [AnyObject] {
    var found: [AnyObject] = []
    // No recursion: a list of enumeration cases may be longer than a thread's stack.
    var rest = [value]
    while let value = rest.popLast() {
      if type(of: value) is AnyClass {
        if !(value is AnyKeyPath) { found.append(value as AnyObject) }
      } else {
        rest += parts(of: value).reversed()
      }
    }
    return found
  }

  private static func parts(of value: Any) -> [Any] {
    if let collection = value as? any CollectionOfParts, collection.isPlain { return [] }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != nil,
      !SystemTypes.contain(TypeName.qualified(type(of: value)))
    else { return [] }
    return mirror.children.map(\.value)
  }
}

/// A collection that may be asked for the types of its elements, so that a million numbers are not
/// looked at one by one.
private protocol CollectionOfParts {
  /// Whether no element can have an object in it.
  var isPlain: Bool { get }
}

extension CollectionOfParts {
  fileprivate func isPlain<Part>(_ part: Part.Type) -> Bool {
    _isPOD(part) || part == String.self
  }
}

extension Array: CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Element.self) }
}

extension ContiguousArray: CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Element.self) }
}

extension ArraySlice: CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Element.self) }
}

extension Set: CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Element.self) }
}

extension Dictionary: CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Key.self) && isPlain(Value.self) }
}
