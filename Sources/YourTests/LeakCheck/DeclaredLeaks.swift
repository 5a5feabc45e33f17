import MemlabHeapModel

/// Something that is meant to outlive the body of a check, and why.
///
///     await expectNoLeaks(allowing: [.object(of: ImageCache.self, "shared by the whole app")]) {
///       …
///     }
///
/// It is reported as a warning, with the reason: a survivor is never silent.
public struct KnownSurvivor: Sendable {
  /// What may stay.
  let subject: DeclaredSubject
  /// Why it may stay.
  let reason: String

  /// Instances of a class.
  ///
  /// - Parameters:
  ///   - type: the class itself; its subclasses are not meant.
  ///   - reason: why they stay, a clause.
  public static func object(of type: (some AnyObject).Type, _ reason: String) -> KnownSurvivor {
    KnownSurvivor(subject: .object(TypeName.qualified(type)), reason: reason)
  }

  /// Tasks.
  ///
  /// - Parameters:
  ///   - name: their name, or the name of a function that they have begun in, such as `poll()`.
  ///   - reason: why they go on, a clause.
  public static func task(_ name: String, _ reason: String) -> KnownSurvivor {
    KnownSurvivor(subject: .task(name), reason: reason)
  }
}

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
  let subject: DeclaredSubject
  /// A name on the chain to an object; nil for a task.
  let holder: String?

  /// An instance of a class that must be left, and who must hold it.
  ///
  /// - Parameters:
  ///   - type: the class itself; its subclasses are not meant.
  ///   - holder: a name on the chain of the failure: a global variable, `Cache.shared`; a property,
  ///     `Cache.entries`; a function or a closure, `start()` or `closure #1 in start()`; a class,
  ///     `Cache`; a task or a thread, by its name.
  public static func object(of type: (some AnyObject).Type, heldBy holder: String) -> ExpectedLeak {
    ExpectedLeak(subject: .object(TypeName.qualified(type)), holder: holder)
  }

  /// A task that must not end.
  ///
  /// - Parameter name: its name, or the name of a function that it has begun in, such as `poll()`.
  public static func task(_ name: String) -> ExpectedLeak {
    ExpectedLeak(subject: .task(name), holder: nil)
  }

  /// Whether a leak is the one that is expected, with the expected holder.
  func matches(_ leak: Leak) -> Bool {
    guard subject.matches(leak) else { return false }
    guard let holder, case .object(_, let chain, let task) = leak.subject else { return true }
    let names = (chain?.names ?? []) + (task?.names ?? []) + (leak.thread.map { [$0] } ?? [])
    // `thread "loader"` by its name, and `closure #1 in poll()` by the function's.
    return names.contains { $0 == holder || $0 == "thread \"\(holder)\"" || $0.isFunction(holder) }
  }

  /// What the test is told when the leak is not there.
  var absence: String {
    let expectation =
      switch subject {
      case .object(let type):
        "\(TypeName.short(type)) was expected to be held by \(holder ?? ""), but has been released"
      case .task(let name): "task \"\(name)\" was expected not to finish, but has"
      }
    return expectation + ": where that is right now, expect no leaks"
  }

  /// What the test is told of an object that somebody else holds; empty for a task.
  var mismatch: String { holder.map { ", but not held by \($0), as was expected" } ?? "" }
}

extension [ExpectedLeak] {
  /// Compares what is expected with the leaks that are there.
  ///
  /// - Returns: unexpected leaks, each with the expectation that it fails if there is one, and
  ///   expectations without a leak.
  func judge(_ leaks: [Leak]) -> (others: [(Leak, ExpectedLeak?)], missing: [ExpectedLeak]) {
    let missing = filter { expected in !leaks.contains(where: expected.matches) }
    let others = leaks.filter { leak in !contains { $0.matches(leak) } }
    let failed = others.map { leak in (leak, missing.first { $0.subject.matches(leak) }) }
    return (failed, missing.filter { !others.contains(where: $0.subject.matches) })
  }
}

/// What a declaration speaks of, independent of the holder.
enum DeclaredSubject: Sendable {
  /// Instances of the class of this name, with its module.
  case object(String)
  /// Tasks of this name, or that have begun in the function of this name.
  case task(String)

  /// Whether a leak is one of them.
  func matches(_ leak: Leak) -> Bool {
    switch (self, leak.subject) {
    case (.object(let type), .object(let object, _, _)): type == object.type
    case (.task(let name), .task(let trace)):
      trace.task.name == name || trace.frames.contains { $0.function.isFunction(name) }
    case (.task(let name), .succession(let origin?)):
      origin.name == name || origin.functions.contains { $0.isFunction(name) }
    default: false
    }
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

extension String {
  /// Whether it names a function, or a closure in it: `closure #1 in poll()` is `poll()`, and `poll`.
  fileprivate func isFunction(_ name: String) -> Bool {
    let own = split(separator: " ").last.map(String.init) ?? self
    return own == name || own.hasSuffix("." + name) || own.hasPrefix(name + "(")
  }
}
