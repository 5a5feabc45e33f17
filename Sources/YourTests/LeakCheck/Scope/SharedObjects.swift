import MemlabHeapModel
import MemlabHeapReader

/// Tells shared objects that a body returns from objects that it leaves behind.
///
/// A closure of one expression returns its value. So a body returns a shared instance if its last
/// call does, although the body did not make the instance.
extension LeakScope {
  /// Stops watching returned objects that are shared: objects that a global variable leads to and
  /// that are older than the body, objects of the system's libraries that are the value of a global
  /// variable, and constants.
  func forgetSharedObjects(in snapshot: HeapSnapshot) {
    #if !MEMLAB_PORTABLE
      let returned = survivors.filter(\.isReturned)
      guard !returned.isEmpty else { return }
      let begin = self.beginning?.serial
      // Other users of a shared instance, such as another test's task, have a shorter path to it.
      let globals = snapshot.reachOfGlobals
      forget(
        returned.filter { returned in
          if returned.isConstant(in: globals) { return true }
          if returned.isOlder(than: begin, in: snapshot) { return returned.isKept(by: globals) }
          return SystemTypes.contain(returned.type) && returned.isValue(of: globals)
        })
    #endif
  }
}

/// Types of the system's libraries that are not containers.
enum SystemTypes {
  /// The libraries' modules.
  static let modules: Set = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "FoundationXML", "Dispatch",
  ]

  /// The same, and those of Swift's own libraries.
  static let ofLibraries = modules.union([
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Observation", "Testing",
    "XCTest",
  ]).union(OwnModules.names)

  /// Whether a type is one of them.
  ///
  /// - Parameter name: its name, with the module.
  static func contain(_ name: String) -> Bool {
    modules.contains(String(name.prefix { $0 != "." }))
  }
}
