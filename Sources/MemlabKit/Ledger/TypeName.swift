/// Names of types as a reader would write them.
enum TypeName {
  /// The type's name without its module, the types around it, and what tells private types apart.
  ///
  /// The same class is printed as `Plant` in debug and as `(Plant in _9C58…)` with `-O`, where the
  /// optimiser works out the name of a private type at compile time.
  static func short(_ type: Any.Type) -> String {
    let name = "\(type)"
    guard name.hasPrefix("("), let end = name.start(of: " in ") else { return name }
    return String(name[name.index(after: name.startIndex)..<end])
  }
}

extension String {
  /// Where a text first occurs in this one.
  fileprivate func start(of text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
