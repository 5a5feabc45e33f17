import MemlabHeapModel
import MemlabRuntimeABI

/// Makes the chain of a way through the graph.
struct ChainBuilder: ChainSource {
  /// What the snapshot found.
  let survey: Survey
  /// Whether functions are named, which takes a look into the program's file. Where a chain begins
  /// is always named.
  var namesFunctions = true
  /// Whether closures are looked up in the debug information, for the lines that they begin at.
  var locatesClosures = false
  /// Whether the chain to what a ring holds begins with the ring.
  var showsRings = false
  /// The ways that are shown; nil for the survey's own.
  var reach: Reach?

  private var ways: Reach { reach ?? survey.reach }

  func way(to block: Int) -> (blocks: [Int], kind: RetainChain.Root.Kind) {
    let way = ways.way(to: block)
    switch ways.origin(of: block) {
    case .root:
      return switch ways.roots[way[0]]?.place {
      case .task: (way, .task)
      case .variable: (way, .variable)
      default: (way, .global)
      }
    case .cycle:
      let place = showsRings ? way.lastIndex { ways.ring(of: $0) != nil } ?? 0 : way.count - 1
      // What a ring holds may be a million blocks, none of which leads back.
      let number = ways.ring(of: way[place])
      let ring = shortestCircle(through: way[place]) {
        survey.edges.targets(of: $0).filter { number != nil && ways.ring(of: $0) == number }
      }
      return (ring.map { $0 + way[(place + 1)...] } ?? way, .cycle)
    case .unknown: return (way, .unknown)
    }
  }

  func start(_ block: Int) -> HeapNode { ChainBuilder(survey: survey).node(block) }

  func task(_ block: Int) -> HeapTask? { survey.tasks[block] }

  func facts(of block: Int) -> ChainFacts {
    ChainFacts(
      type: survey.typeName(of: block) ?? "", referencesFound: Int(survey.check.found[block]),
      retainCount: survey.check.retainCount(of: block), serial: survey.blocks.serial(block))
  }

  // A look at all that a block alone holds, which only a chain with names tells of.
  func releaseDepth(of block: Int) -> Int? {
    guard namesFunctions else { return nil }
    return survey.edges.releaseDepth(of: block, survey.check) { block in
      let type = survey.kinds.type(of: block)
      return type < 0 ? nil : survey.layouts[Int(type)].ownLink
    }
  }

  func isHeldBesidesCycle(anyOf blocks: [Int]) -> Bool {
    blocks.contains(where: ways.heldBesidesCycles.contains)
  }

  func outside(of block: Int, _ origin: RetainChain.Root.Kind) -> HeapNode? {
    guard origin == .global, let address = ways.roots[block]?.place.variable else { return nil }
    return variable(at: address)
  }

  func link(from outside: HeapNode, to block: Int) -> RetainChain.Link {
    let named = ChainBuilder(survey: survey, locatesClosures: locatesClosures)
    var link = outside.link(to: named.node(block))
    // Where a variable begins before the reference, a function before that may be of the same closure, and
    // not a variable of its own.
    guard survey.kinds[block] == .instance, let root = ways.roots[block],
      let address = root.place.variable,
      let symbol = Symbolizer.shared.symbol(at: address), symbol.offset > 0
    else { return link }
    link.closure = functionName(root.function)
    link.closureLocation = location(root.function)
    return link
  }

  func link(from holder: Int, to target: Int) -> RetainChain.Link {
    let edge = survey.edges.edges(of: holder).first {
      survey.edges.target($0) == target && !survey.edges.isStale($0)
    }
    // Every way is made of references, so there is one. A wrong name would be worse than none.
    return edge.map { link($0, of: holder, to: node(target)) }
      ?? RetainChain.Link(kind: .memory, target: node(target))
  }

  /// A block as a place on a chain.
  func node(_ block: Int) -> HeapNode {
    if let name = survey.variables[block] { return HeapNode(kind: .variable, name: name) }
    let kind = survey.kinds[block]
    let name =
      switch kind {
      case .task: survey.tasks[block]?.name ?? ""
      case .context: functionName(function(of: block)) ?? boxName(block)
      case .memory: memoryName(block)
      default: survey.typeName(of: block) ?? ""
      }
    let location = kind == .context ? location(function(of: block)) : nil
    return HeapNode(kind: .block(kind), name: name, location: location)
  }

  private func function(of block: Int) -> UInt? { namesFunctions ? survey.functions[block] : nil }

  // What has one capture and no function is the box of a value.
  private func boxName(_ block: Int) -> String {
    guard namesFunctions, let fields = survey.layout(of: block)?.fields, fields.count == 1,
      let type = fields.first?.type, type != 0,
      MemoryCopy.pair(at: type)?.first == abi.kind.structure
    else { return "" }
    let name = TypeName.qualified(unsafeBitCast(type, to: Any.Type.self))
    return HeapNode.boxOf + TypeName.short(name)
  }

  // A function of the runtime's, or one that only converts a call, is not one that a reader has written.
  private func frameName(_ address: UInt) -> String? {
    guard namesFunctions, let symbol = Symbolizer.shared.symbol(at: address),
      symbol.parts.glue != .reabstraction, !symbol.isLibrary || symbol.module != nil
    else { return nil }
    return functionName(address)
  }

  private func functionName(_ address: UInt?) -> String? {
    guard namesFunctions, let address else { return nil }
    if let parts = Symbolizer.shared.symbol(at: address)?.parts, parts.isAutoclosure {
      return "autoclosure in \(parts.short)"
    }
    return Symbolizer.shared.method(referredToAt: address) ?? Symbolizer.shared.name(at: address)
  }

  // `state.items`: the properties of a structure in a property.
  private func name(of field: TypeLayout.Field, at slot: UInt) -> String? {
    guard field.type != 0 else { return field.name }
    let memory = ProcessMemory(blocks: survey.blocks, segments: survey.segments)
    let path = memory.path(in: field.type, to: slot - field.offset)
    return field.name.isEmpty ? path : path.map { field.name + "." + $0 } ?? field.name
  }

  // The library that runs queues has tables of functions that are named after what has them, such as
  // `__OS_dispatch_queue_serial_vtable`.
  private func memoryName(_ block: Int) -> String {
    guard namesFunctions, let table = MemoryCopy.pair(at: survey.blocks.address(block))?.first,
      survey.segments.isDispatch(table),
      let name = Symbolizer.shared.name(at: table), let mark = name.firstRange(of: "OS_dispatch_")
    else { return "" }
    let kind = name[mark.upperBound...].prefix { $0 != "_" }
    return "Dispatch" + kind.prefix(1).uppercased() + kind.dropFirst()
  }

  private func location(_ address: UInt?) -> CodeLocation? {
    guard locatesClosures, let address else { return nil }
    return Symbolizer.shared.declaration(ofFunctionAt: Symbolizer.shared.code(at: address))?
      .location
  }

  /// The global variable that has a word at an address.
  func variable(at address: UInt) -> HeapNode {
    HeapNode(kind: .global, name: Symbolizer.shared.name(at: address) ?? "")
  }

  /// A reference of a block as a link to what it leads to.
  func link(_ edge: Int, of holder: Int, to target: HeapNode) -> RetainChain.Link {
    if survey.variables[holder] != nil { return RetainChain.Link(kind: .variable, target: target) }
    let layout = survey.layout(of: holder)
    let isField = survey.edges.slot(edge) < layout?.fixedSize ?? 0
    let kind: RetainChain.Link.Kind =
      switch survey.edges.kind(edge) {
      case .field, .mixedField: .field
      case .element, .mixedElement: .element
      case .capture, .mixedCapture: .capture
      case .body: .body
      case .result: .result
      case .slab: .slab
      case .frame, .taskLocal: .frame
      // A raw pointer, or what stands behind the fields of a `ManagedBuffer`.
      case .word where layout != nil: isField ? .field : .element
      case .word, .stale: .memory
      }
    return RetainChain.Link(
      kind: kind, name: name(of: edge, kind, in: holder),
      closure: functionName(survey.closures[edge]), offset: Int(survey.edges.slot(edge)),
      closureLocation: location(survey.closures[edge]), target: target)
  }

  private func name(of edge: Int, _ kind: RetainChain.Link.Kind, in holder: Int) -> String? {
    let (slot, layout) = (survey.edges.slot(edge), survey.layout(of: holder))
    switch (kind, layout?.tail) {
    case (.frame, _): return survey.edges.code[edge].flatMap(frameName)
    case (.field, _): return layout?.field(at: slot).flatMap { name(of: $0, at: slot) }
    case (.capture, _) where namesFunctions && function(of: holder) == nil:
      return layout?.field(at: slot).flatMap { $0.type == 0 ? nil : name(of: $0, at: slot) }
    case (.element, .elements(let column)) where column.stride > 0:
      return String((slot - abi.array.elements) / column.stride)
    default: return nil
    }
  }
}
