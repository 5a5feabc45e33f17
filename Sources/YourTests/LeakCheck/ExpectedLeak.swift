import MemlabHeapModel

/// A leak that a test wants: to pin a known defect until it is fixed, or to show one.
///
///     await expectLeaks([.object(of: Model.self, heldBy: "Cache.shared")]) {
///       Cache.shared.add(watch(Model()))
///     }
///
/// The test passes when the leak is there. It fails when the leak is gone, and when somebody else
/// holds the object.
public struct ExpectedLeak: Sendable {
  /// What is expected to stay.
  enum Kind: Sendable {
    /// An instance of a class, and a name on the chain to it.
    case object(String, holder: String)
    /// A task of this name.
    case task(String)
  }

  /// What is expected to stay, of this one.
  let kind: Kind

  /// An instance of a class that must be left, and who must hold it.
  ///
  /// - Parameters:
  ///   - type: the class itself; its subclasses are not meant.
  ///   - holder: a name on the chain of the failure: a global variable, `Cache.shared`; a property,
  ///     `Cache.entries`; a function or a closure, `start()` or `closure #1 in start()`; a class,
  ///     `Cache`; a task or a thread, by its name.
  public static func object(
    of type: (some AnyObject).Type, heldBy holder: String
  ) -> ExpectedLeak {
    ExpectedLeak(kind: .object(TypeName.qualified(type), holder: holder))
  }

  /// A task that must not end.
  ///
  /// - Parameter name: its name, or the name of a function that it has begun in, such as `poll()`.
  public static func task(_ name: String) -> ExpectedLeak { ExpectedLeak(kind: .task(name)) }

  /// Whether a leak is of the kind that is expected, with any holder.
  func isAbout(_ leak: Leak) -> Bool {
    switch (kind, leak.subject) {
    case (.object(let type, _), .object(let object, _, _)): type == object.type
    case (.task(let name), .task(let trace)): trace.isNamed(name)
    case (.task(let name), .succession(let origin?)): origin.isNamed(name)
    default: false
    }
  }

  /// Whether a leak is the one that is expected.
  func matches(_ leak: Leak) -> Bool {
    guard isAbout(leak) else { return false }
    guard case .object(_, let holder) = kind, case .object(_, let chain, let task) = leak.subject
    else { return true }
    let names = (chain?.names ?? []) + (task?.names ?? []) + (leak.thread.map { [$0] } ?? [])
    return names.matches(holder)
  }

  /// What is to be told when it is not there.
  var absence: String {
    switch kind {
    case .object(let type, let holder):
      "\(TypeName.short(type)) was expected to be held by \(holder), but has been released: "
        + "where that is right now, expect no leaks"
    case .task(let name):
      "task \"\(name)\" was expected not to finish, but has: where that is right now, expect no leaks"
    }
  }

  /// What is to be told of an object that somebody else holds.
  var mismatch: String {
    guard case .object(_, let holder) = kind else { return "" }
    return ", but not held by \(holder), as was expected"
  }
}

extension [ExpectedLeak] {
  /// Those that are not among some leaks, and of each leak whether it was expected.
  ///
  /// - Returns: what to report: unexpected leaks, each with the expectation that it fails if there is
  ///   one, and expectations without a leak.
  func judge(_ leaks: [Leak]) -> (others: [(Leak, ExpectedLeak?)], missing: [ExpectedLeak]) {
    let missing = filter { expected in !leaks.contains(where: expected.matches) }
    let others = leaks.filter { leak in !contains { $0.matches(leak) } }
    let failed = others.map { leak in (leak, missing.first { $0.isAbout(leak) }) }
    return (failed, missing.filter { expected in !others.contains(where: expected.isAbout) })
  }
}

extension TaskTrace {
  /// What the task may be called by.
  fileprivate var names: [String] { (task.name.map { [$0] } ?? []) + frames.map(\.function) }
}

extension RetainChain {
  /// What is on the chain, by name: variables, properties with their types, closures and functions,
  /// classes.
  fileprivate var names: [String] {
    let links = asWritten { $0.isThunk }.links
    let holders = [root.node] + links.map(\.target)
    let properties = zip(holders, links).compactMap { holder, link in
      link.name.map { "\(holder.shortName).\($0.prefix { $0 != "[" })" }
    }
    let others = links.flatMap { [$0.name, $0.closure].compactMap(\.self) }
      .map { String($0.prefix { $0 != "[" }) }
    return properties + others + holders.dropLast().map(\.shortName) + [root.node.name]
  }
}

extension [String] {
  // `thread "loader"` by its name, and `closure #1 in poll()` by the function's.
  fileprivate func matches(_ wanted: String) -> Bool {
    contains { name in
      name == wanted || name == "thread \"\(wanted)\"" || name.isFunction(wanted)
    }
  }
}
