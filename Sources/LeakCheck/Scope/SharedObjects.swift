internal import HeapGraph

/// What tells an object that a body has returned, and not made, from one that it leaves behind.
///
/// A closure of one expression returns its value: a function that returns a shared instance, to be
/// called again, makes the body return it.
extension LeakScope {
  /// Stops watching returned objects that are shared: those that a global variable leads to and that
  /// are older than the body, those of the system's libraries that are a global variable's value, and
  /// constants.
  func forgetSharedObjects(in snapshot: HeapSnapshot) {
    let returned = survivors.filter(\.isReturned)
    guard !returned.isEmpty else { return }
    let begin = self.beginning.flatMap(snapshot.serial)
    // Whoever else uses a shared instance, as another test's task does, has a shorter way to it.
    let globals = snapshot.reachOfGlobals
    forget(
      returned.filter { returned in
        if returned.isConstant(in: globals) { return true }
        if returned.isOlder(than: begin, in: snapshot) { return returned.isKept(by: globals) }
        return SystemTypes.contain(returned.type) && returned.isValue(of: globals)
      })
  }
}

/// Types of the system's libraries that are no containers.
enum SystemTypes {
  private static let modules = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Dispatch",
  ]

  /// Whether a type is one of them.
  ///
  /// - Parameter name: its name, with the module.
  static func contain(_ name: String) -> Bool {
    modules.contains { name.hasPrefix($0 + ".") }
  }
}

/// An object that is as old as the body of a check.
final class Beginning: Sendable {}
