import RuntimeABI

/// Turns ways through the graph into chains that can be read.
struct PathBuilder {
  /// What the snapshot found.
  let survey: Survey
  /// Whether functions are named, which takes a look into the program's file. Where a chain begins
  /// is always named.
  var namesFunctions = true
  /// The ways that are shown; nil for the survey's own.
  var reach: Reach?

  private var ways: Reach { reach ?? survey.reach }

  /// The longest chain that is shown whole, in steps.
  static let longest = 64

  /// Why a block is alive.
  func path(to block: Int) -> RetainPath {
    let (way, origin) = way(to: block)
    let pairs = Array(zip(way, way.dropFirst()))
    let omitted = max(0, pairs.count - Self.longest)
    let ends = pairs.prefix(Self.longest / 2) + pairs.dropFirst(Self.longest / 2 + omitted)
    var steps = ends.map(step)
    var start = PathBuilder(survey: survey).node(way[0])
    if let (outside, edge) = outside(of: way[0], origin) {
      steps.insert(RetainStep(edge: edge, node: start), at: 0)
      start = outside
    }
    return RetainPath(
      type: survey.typeName(of: block) ?? "", root: origin, start: start,
      task: origin == .task ? survey.tasks[way[0]] : nil, steps: steps,
      omitted: omitted, referencesFound: Int(survey.check.found[block]),
      retainCount: survey.check.retainCount(of: block), serial: survey.blocks.serial(block))
  }

  private func way(to block: Int) -> ([Int], RetainPath.Root) {
    let way = ways.way(to: block)
    switch ways.origins[block] {
    case .root:
      if case .task = ways.roots[way[0]]?.place { return (way, .task) }
      return (way, .global)
    case .stack: return (way, .stack)
    case .cycle: return (survey.circle(through: block) ?? way, .cycle)
    case .unknown, .none: return (way, .unknown)
    }
  }

  /// What a way begins at that isn't a block: a global variable, or a stack.
  func outside(
    of block: Int, _ origin: RetainPath.Root
  ) -> (HeapNode, RetainEdge)? {
    switch ways.roots[block]?.place {
    case .global(let address) where origin == .global:
      let name = Symbolizer.shared.name(at: address)
      let node = HeapNode(kind: .global, name: name ?? "", bytes: 0)
      return (node, RetainEdge(kind: .global, name: name, closure: nil, offset: 0))
    case .stack where origin == .stack:
      let node = HeapNode(kind: .stack, name: "", bytes: 0)
      return (node, RetainEdge(kind: .stack, name: nil, closure: nil, offset: 0))
    default: return nil
    }
  }

  /// The reference from one block to another, and what it leads to.
  func step(from holder: Int, to target: Int) -> RetainStep {
    let edge = survey.edges.edges(of: holder).first {
      Int(survey.edges.targets[$0]) == target && survey.edges.kinds[$0] != .stale
    }
    return RetainStep(edge: described(edge ?? 0, of: holder), node: node(target))
  }

  /// A block as a place on a chain.
  func node(_ block: Int) -> HeapNode {
    let kind = survey.kinds[block]
    let name =
      switch kind {
      case .task: survey.tasks[block]?.name ?? ""
      case .context: functionName(survey.functions[block]) ?? ""
      default: survey.typeName(of: block) ?? ""
      }
    return HeapNode(kind: .block(kind), name: name, bytes: Int(survey.blocks.size(block)))
  }

  // What the runtime goes on in is nobody's function.
  private func frameName(_ address: UInt) -> String? {
    let symbol = Symbolizer.shared.symbol(at: address)
    let isRuntime = symbol?.isLibrary == true && symbol?.module == nil
    return isRuntime ? nil : functionName(address)
  }

  private func functionName(_ address: UInt?) -> String? {
    namesFunctions ? address.flatMap { Symbolizer.shared.name(at: $0) } : nil
  }

  private func described(_ edge: Int, of holder: Int) -> RetainEdge {
    let slot = UInt(survey.edges.slots[edge])
    let kind: RetainEdge.Kind =
      switch survey.edges.kinds[edge] {
      case .field, .mixedField: .field
      case .element, .mixedElement: .element
      case .capture, .mixedCapture: .capture
      case .body: .body
      case .result: .result
      case .slab: .slab
      case .frame: .frame
      case .word, .stale: .memory
      }
    return RetainEdge(
      kind: kind, name: name(of: edge, kind, holder, slot),
      closure: functionName(survey.closures[edge]), offset: Int(slot))
  }

  private func name(
    of edge: Int, _ kind: RetainEdge.Kind, _ holder: Int, _ slot: UInt
  ) -> String? {
    if kind == .frame { return survey.edges.code[edge].flatMap(frameName) }
    guard survey.layoutIDs[holder] >= 0 else { return nil }
    let layout = survey.layouts[Int(survey.layoutIDs[holder])]
    switch (kind, layout.tail) {
    case (.field, _):
      return layout.field(at: slot)?.name
    case (.element, .elements(let column)) where column.stride > 0:
      return String((slot - abi.array.elements) / column.stride)
    default:
      return nil
    }
  }
}
