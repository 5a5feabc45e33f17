import MemlabHeapModel
import MemlabRuntimeABI

/// Looks for what was planted in a snapshot that is taken as every later one is.
struct PlantedReading {
  /// What was read.
  let survey: Survey

  /// What the snapshot shows in place of a reference, as a clause; nil where it shows the reference
  /// as it was planted.
  func fault(of reference: PlantedReference) -> String? {
    guard let holder = survey.block(at: reference.holder),
      let target = survey.block(at: reference.target)
    else { return "a block is not listed" }
    let found = survey.edges.edges(of: holder).filter {
      Int(survey.edges.targets[$0]) == target
    }
    guard found.contains(where: { survey.edges.kinds[$0].isKind(reference.kind) }) else {
      let kinds = found.map { "\(survey.edges.kinds[$0])" }
      return "\(reference.kind) is \(kinds.isEmpty ? "missing" : kinds.joined(separator: ", "))"
    }
    if reference.isOnly, !isOnlyReference(to: target) {
      return "\(survey.check.found[target]) references were found"
    }
    guard let name = reference.name else { return nil }
    let seen = builder.link(from: holder, to: target).name
    return seen == name ? nil : "its name is \(seen ?? "missing")"
  }

  /// Whether a task is the root of an object, under its name.
  func task(_ name: String, isRootOf object: UInt) -> Bool {
    guard let block = survey.block(at: object) else { return false }
    let root = builder.chain(to: block).root
    return root.kind == .task && root.node.name == name
  }

  /// Whether a block is what it should be.
  func kind(at address: UInt) -> HeapBlockKind? {
    survey.block(at: address).map { survey.kinds[$0] }
  }

  private var builder: ChainBuilder { ChainBuilder(survey: survey, namesFunctions: false) }

  private func isOnlyReference(to block: Int) -> Bool {
    survey.check.found[block] == 1 && survey.check.retainCount(of: block) == 1
  }
}

extension EdgeKind {
  /// Whether a report calls a reference of this kind so.
  fileprivate func isKind(_ kind: RetainChain.Link.Kind) -> Bool {
    switch kind {
    case .field: self == .field
    case .element: self == .element
    case .capture: self == .capture
    case .body: self == .body
    case .result: self == .result
    case .frame: self == .frame
    default: false
    }
  }
}
