import MemlabHeapModel

/// Finds the objects in the value that a body returns.
enum ReturnedObjects {
  /// The value itself if it is an object, otherwise the objects in its optionals, tuples,
  /// collections and structures. This does not look inside objects, nor inside the structures of
  /// the system's libraries: time zones and calendars refer to shared objects. Key paths are kept
  /// by the runtime.
  static func find(in value: Any) -> [AnyObject] {
    var found: [AnyObject] = []
    // No recursion: a list of enumeration cases may be longer than a thread's stack.
    var rest = [value]
    // A type's name takes longer to make than all else that is done with a value.
    var known: [ObjectIdentifier: Bool] = [:]
    while let value = rest.popLast() {
      let type = type(of: value)
      if type is AnyClass {
        if !(value is AnyKeyPath) { found.append(value as AnyObject) }
        continue
      }
      let isContainer = known[ObjectIdentifier(type)] ?? canContainObjects(value)
      known[ObjectIdentifier(type)] = isContainer
      guard isContainer else { continue }
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle != nil { rest += mirror.children.map(\.value).reversed() }
    }
    return found
  }

  // Of two values of one type, the answer is the same.
  private static func canContainObjects(_ value: Any) -> Bool {
    if let collection = value as? any CollectionOfParts, collection.isPlain { return false }
    return !SystemTypes.contain(TypeName.qualified(type(of: value)))
  }
}

/// A collection that knows the types of its elements, so that a million numbers need not be checked
/// one by one.
private protocol CollectionOfParts: Collection {
  /// Whether no element can contain an object.
  var isPlain: Bool { get }
}

extension CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Element.self) }
  fileprivate func isPlain<Part>(_ part: Part.Type) -> Bool { _isPOD(part) || part == String.self }
}

extension Array: CollectionOfParts {}
extension ContiguousArray: CollectionOfParts {}
extension ArraySlice: CollectionOfParts {}
extension Set: CollectionOfParts {}
extension Dictionary: CollectionOfParts {
  fileprivate var isPlain: Bool { isPlain(Key.self) && isPlain(Value.self) }
}

/// Types of the system's libraries that are not containers.
enum SystemTypes {
  /// The libraries' modules.
  private static let modules: Set = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Dispatch",
  ]

  /// The same, those of Swift's own libraries, and LeakCheck's own.
  static let ofLibraries = modules.union(OwnModules.names).union([
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Testing",
    "XCTest",
  ])

  /// Whether a type is one of them.
  ///
  /// - Parameter name: its name, with the module.
  static func contain(_ name: String) -> Bool {
    modules.contains(String(name.prefix { $0 != "." }))
  }
}

/// The library's own modules: their functions and classes are not the test's.
enum OwnModules {
  /// Their names. A package may have renamed this one because another has the same name.
  static let names: Set = [
    String("\(#fileID)".prefix { $0 != "/" }), "LeakCheckAll", "LeakCheckXCTest",
  ]
}
