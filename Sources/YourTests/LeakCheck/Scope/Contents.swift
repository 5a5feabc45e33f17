import MemlabHeapModel

/// Finds the objects in the value that a body returns.
enum Contents {
  /// The value itself if it is an object, otherwise the objects in its optionals, tuples,
  /// collections and structures. This does not look inside objects, nor inside the structures of
  /// the system's libraries: time zones and calendars refer to shared objects. Key paths are kept
  /// by the runtime.
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

/// A collection that knows the types of its elements, so that a million numbers need not be checked
/// one by one.
private protocol CollectionOfParts {
  /// Whether no element can contain an object.
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
