import MemlabHeapModel

/// Something that is meant to outlive the body of a check, and why.
///
///     await expectNoLeaks(allowing: [.object(of: ImageCache.self, "shared by the whole app")]) {
///       …
///     }
///
/// It is reported as a warning, with the reason: a survivor is never silent.
public struct KnownSurvivor: Sendable {
  private enum Kind: Sendable {
    case object(String)
    case task(String)
  }

  private let kind: Kind
  /// Why it may stay.
  let reason: String

  /// Instances of a class.
  ///
  /// - Parameters:
  ///   - type: the class itself; its subclasses are not meant.
  ///   - reason: why they stay, a clause.
  public static func object(of type: (some AnyObject).Type, _ reason: String) -> KnownSurvivor {
    KnownSurvivor(kind: .object(TypeName.qualified(type)), reason: reason)
  }

  /// Tasks.
  ///
  /// - Parameters:
  ///   - name: their name, or the name of a function that they have begun in, such as `poll()`.
  ///   - reason: why they go on, a clause.
  public static func task(_ name: String, _ reason: String) -> KnownSurvivor {
    KnownSurvivor(kind: .task(name), reason: reason)
  }

  /// Whether a leak is the one that is meant.
  func matches(_ leak: Leak) -> Bool {
    switch (kind, leak.subject) {
    case (.object(let type), .object(let object, _, _)): type == object.type
    case (.task(let name), .task(let trace)):
      trace.isNamed(name)
    case (.task(let name), .succession(let origin?)): origin.isNamed(name)
    default: false
    }
  }
}

extension TaskTrace {
  /// Whether the task has a name, or has begun in the function of that name.
  func isNamed(_ name: String) -> Bool {
    task.name == name || frames.contains { $0.function.isFunction(name) }
  }
}

extension String {
  /// Whether it names a function, or a closure in it: `closure #1 in poll()` is `poll()`, and `poll`.
  func isFunction(_ name: String) -> Bool {
    let own = split(separator: " ").last.map(String.init) ?? self
    return own == name || own.hasSuffix("." + name) || own.hasPrefix(name + "(")
  }
}
