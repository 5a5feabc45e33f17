internal import HeapGraph

/// What tells an object that a body has returned, and not made, from one that it leaves behind.
///
/// A closure of one expression returns its value: a function that returns a shared instance, to be
/// called again, makes the body return it.
extension LeakScope {
  /// Stops watching returned objects that are shared: those that a global variable leads to and that
  /// are older than the body, and those of the system's libraries that are a global variable's value.
  func forgetSharedObjects(in snapshot: HeapSnapshot) {
    let returned = survivors.filter(\.isReturned)
    guard !returned.isEmpty else { return }
    let begin = self.beginning.flatMap(snapshot.serial)
    forget(returned.filter { $0.isShared(in: snapshot, sinceBefore: begin) })
  }
}

extension WatchedObject {
  fileprivate func isShared(in snapshot: HeapSnapshot, sinceBefore begin: UInt64?) -> Bool {
    guard let path = path(in: snapshot), path.root == .global else { return false }
    if let begin, path.serial < begin { return true }
    return path.steps.count == 1 && SystemTypes.contain(type)
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
