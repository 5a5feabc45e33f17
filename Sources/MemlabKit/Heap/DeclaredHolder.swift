package import HeapGraph

/// Who is declared to hold a survivor in the end.
package enum DeclaredHolder: Sendable, Hashable {
  /// This holder.
  case holder(Holder)
  /// Anybody, as long as the chain begins at such a root: many objects hold each other, and no one
  /// edge is to blame.
  case root(RetainChain.Root.Kind)
  /// One of several: which of them is nearest to a root depends on what ran before.
  case anyOf([DeclaredHolder])

  /// A task of this name.
  package static func task(_ name: String) -> DeclaredHolder { .holder(.task(name)) }

  /// A stored property of an object of this type.
  ///
  /// - Parameter type: the type's short name, without what it is generic over.
  package static func field(_ name: String, of type: String) -> DeclaredHolder {
    .holder(.field(name, of: type))
  }

  /// Objects that hold each other, and that nothing else holds.
  package static let aCycle = DeclaredHolder.root(.cycle)

  /// Something that a global variable leads to.
  package static let aGlobal = DeclaredHolder.root(.global)

  /// Memory that is older than the trial.
  package static let olderMemory = DeclaredHolder.root(.unknown)

  /// One of several.
  package static func anyOf(_ holders: DeclaredHolder...) -> DeclaredHolder { .anyOf(holders) }

  /// Whether a chain ends as declared.
  func matches(_ chain: RetainChain) -> Bool {
    switch self {
    case .holder(let holder): holder == chain.holder
    case .root(let kind): kind == chain.root.kind
    case .anyOf(let holders): holders.contains { $0.matches(chain) }
    }
  }
}

extension DeclaredHolder: CustomStringConvertible {
  /// `task forwarder`, `a cycle or older memory`.
  package var description: String {
    switch self {
    case .holder(let holder): holder.description
    case .root(.unknown): "older memory"
    case .root(let kind): "a \(kind.rawValue)"
    case .anyOf(let holders): holders.map(\.description).joined(separator: " or ")
    }
  }
}
