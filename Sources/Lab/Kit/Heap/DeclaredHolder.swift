package import MemlabHeapModel

/// Who is declared to hold a survivor in the end.
public struct DeclaredHolder: Sendable, Hashable {
  /// What is declared.
  package enum Kind: Sendable, Hashable {
    /// This holder.
    case holder(Holder)
    /// Anybody, as long as the chain begins at such a root: many objects hold each other, and no one
    /// edge is to blame.
    case root(RetainChain.Root.Kind)
    /// One of several: which of them is nearest to a root depends on what ran before.
    case anyOf([DeclaredHolder])
    /// The holder that a report describes so.
    case described(String)
  }

  /// What is declared.
  package let kind: Kind

  /// A declaration of this kind.
  package init(_ kind: Kind) { self.kind = kind }

  /// A task of this name.
  public static func task(_ name: String) -> DeclaredHolder {
    DeclaredHolder(.holder(.task(name)))
  }

  /// A stored property of an object of this type.
  ///
  /// - Parameters:
  ///   - name: the property's name.
  ///   - type: the type's short name, without what it is generic over.
  public static func field(_ name: String, of type: String) -> DeclaredHolder {
    DeclaredHolder(.holder(.field(name, of: type)))
  }

  /// Objects that hold each other, and that nothing else holds.
  public static let aCycle = DeclaredHolder(.root(.cycle))

  /// Something that a global variable leads to.
  public static let aGlobal = DeclaredHolder(.root(.global))

  /// Memory that is older than the trial.
  public static let olderMemory = DeclaredHolder(.root(.unknown))

  /// One of several.
  public static func anyOf(_ holders: DeclaredHolder...) -> DeclaredHolder {
    DeclaredHolder(.anyOf(holders))
  }

  /// Whether a chain ends as declared.
  func matches(_ chain: RetainChain) -> Bool {
    switch kind {
    case .holder(let holder): holder == chain.holder
    case .root(let kind): kind == chain.root.kind
    case .anyOf(let holders): holders.contains { $0.matches(chain) }
    case .described(let text): text == chain.holder.description
    }
  }
}

extension DeclaredHolder: CustomStringConvertible {
  /// `task forwarder`, `a cycle or older memory`.
  public var description: String {
    switch kind {
    case .holder(let holder): holder.description
    case .root(.unknown): "older memory"
    case .root(let kind): "a \(kind.rawValue)"
    case .anyOf(let holders): holders.map(\.description).joined(separator: " or ")
    case .described(let text): text
    }
  }
}
