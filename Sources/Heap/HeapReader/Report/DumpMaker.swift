import CMemlabProcess
package import MemlabHeapModel

/// Makes a dump of what a snapshot has found. To be asked while the heap cannot change.
struct DumpMaker {
  private let survey: Survey
  private let builder: ChainBuilder
  private var dump = HeapDump()
  // The place of each block among those of the dump; -1 for one that is left out.
  private var places: ContiguousArray<Int32>
  private var things: [ThingKey: UInt32] = [:]
  private var contexts: [HeapNode: UInt32] = [:]
  private var labels: [LabelKey: UInt32] = [:]
  private var labelIDs: [HeapDump.Label: UInt32] = [:]
  private var groups: [GroupKey: Int] = [:]

  private struct ThingKey: Hashable {
    var kind: HeapBlockKind
    var what: UInt
    var name: String?
  }

  private struct LabelKey: Hashable {
    var kind: EdgeKind
    var layout: Int32
    var slot: UInt
    var code: UInt
    var isClosures: Bool
  }

  private struct GroupKey: Hashable {
    var name: String?
    var functions: [UInt]
  }

  /// Prepares a dump.
  ///
  /// - Parameter end: blocks with serials above are left out.
  init(_ survey: Survey, upTo end: UInt64) {
    self.survey = survey
    builder = ChainBuilder(survey: survey, locatesClosures: true)
    places = ContiguousArray(repeating: -1, count: survey.blocks.count)
    var next: Int32 = 0
    for block in places.indices where survey.blocks.serial(block) <= end {
      places[block] = next
      next += 1
    }
  }

  /// The dump.
  consuming func make() -> HeapDump {
    addTasks()
    for block in places.indices where places[block] >= 0 { add(block) }
    addRoots()
    return dump
  }

  private mutating func add(_ block: Int) {
    let holder = survey.reach.holder(of: block)
    dump.blocks.serials.append(survey.blocks.serial(block))
    dump.blocks.sizes.append(UInt32(clamping: survey.blocks.size(block)))
    dump.blocks.things.append(thing(block))
    dump.blocks.holders.append(holder < 0 ? -1 : places[holder])
    let origin = survey.reach.origin(of: block)
    dump.blocks.origins.append(origin == .root ? .root : origin == .cycle ? .cycle : .unknown)
    dump.blocks.found.append(survey.check.found[block])
    dump.blocks.counts.append(survey.check.retainCount(of: block).map { Int32(clamping: $0) } ?? -1)
    for edge in survey.edges.edges(of: block) where !survey.edges.isStale(edge) {
      let target = places[survey.edges.target(edge)]
      guard target >= 0 else { continue }
      dump.targets.append(UInt32(target))
      dump.labelIDs.append(label(of: edge, holder: block))
    }
    dump.starts.append(UInt32(dump.targets.count))
  }

  private mutating func thing(_ block: Int) -> UInt32 {
    let kind = survey.kinds[block]
    var key = ThingKey(kind: kind, what: 0)
    switch kind {
    case .instance, .buffer: key.what = UInt(bitPattern: Int(survey.kinds.type(of: block)))
    case .context:
      key.what = survey.functions[block] ?? UInt(bitPattern: Int(survey.kinds.type(of: block)))
    case .error: key.what = survey.errorTypes[block] ?? 0
    case .task: key.name = survey.tasks[block]?.name
    case .taskSlab, .sideTable, .metadata, .memory: break
    }
    if let known = things[key] { return known }
    let node = builder.node(block)
    // The boxes of several types may have one name.
    let known = kind == .context ? contexts[node] : nil
    let id = known ?? UInt32(dump.things.count)
    things[key] = id
    if known == nil { dump.things.append(node) }
    if kind == .context { contexts[node] = id }
    return id
  }

  // The index of an array's element says nothing about others that are held alike.
  private mutating func label(of edge: Int, holder: Int) -> UInt32 {
    let layout = survey.kinds.type(of: holder)
    // Behind what the type describes, the place says nothing.
    let end = layout < 0 ? 0 : survey.layouts[Int(layout)].fixedSize
    let key = LabelKey(
      kind: survey.edges.kind(edge), layout: layout, slot: min(survey.edges.slot(edge), end),
      code: survey.edges.code[edge] ?? survey.closures[edge] ?? 0,
      isClosures: survey.kinds[holder] == .context && survey.functions[holder] != nil)
    if let known = labels[key] { return known }
    let link = builder.link(edge, of: holder, to: HeapNode(kind: .block(.memory), name: ""))
    let label = HeapDump.Label(
      kind: link.kind, name: link.kind == .element ? nil : link.name, closure: link.closure,
      closureLocation: link.closureLocation)
    let id = labelIDs[label] ?? UInt32(dump.labels.count)
    if id == dump.labels.count { dump.labels.append(label) }
    (labels[key], labelIDs[label]) = (id, id)
    return id
  }

  private mutating func addTasks() {
    let own = survey.tasks.filter { places[$0.key] >= 0 }
    let all = own.map { (Int(places[$0.key]), $0.value) } + survey.children.map { (-1, $0) }
    for (block, task) in all.sorted(by: { $0.1.id < $1.1.id }) where !task.isFinished {
      if block >= 0 { dump.roots[block] = .task(dump.tasks.count) }
      dump.tasks.append(
        HeapDump.Task(
          block: block, group: group(of: task), id: task.id, name: task.name,
          state: task.isRunning ? .running : task.isEnqueued ? .enqueued : .suspended,
          isChild: task.isChild))
    }
  }

  private mutating func group(of task: HeapTask) -> Int {
    let chain = ResumeChain(ofTask: task.address)
    let key = GroupKey(name: task.name, functions: chain?.functions ?? [])
    if let known = groups[key] { return known }
    groups[key] = dump.groups.count
    let trace = TaskTrace(task, among: [], hiding: [])
    let isOfLibrary = chain.map { $0.functions.allSatisfy(survey.segments.isOfSwift) } ?? false
    dump.groups.append(
      HeapDump.TaskGroup(
        title: isOfLibrary ? "a task of Swift's libraries" : trace.titleWithLine,
        suspendedIn: trace.suspendedIn, frames: trace.frames.map(HeapFrame.init),
        owner: isOfLibrary ? .library : trace.isOfDependency ? .dependency : .program))
    return dump.groups.count - 1
  }

  private mutating func addRoots() {
    for (block, root) in survey.reach.roots where places[block] >= 0 {
      guard case .global(let address) = root.place else { continue }
      dump.roots[Int(places[block])] = .global(
        Symbolizer.shared.name(at: address) ?? placeInFile(address))
    }
  }

  // A stripped file has no names. Its addresses are those of the same file before it was stripped.
  private func placeInFile(_ address: UInt) -> String {
    guard let segment = survey.segments.segment(at: address) else { return "" }
    return "at 0x\(String(address - segment.bias, radix: 16)) of \(segment.name)"
  }
}

extension LoadedSegments {
  /// Whether code is that of a library of Swift's.
  fileprivate func isOfSwift(_ code: UInt) -> Bool {
    guard let segment = segment(at: code) else { return false }
    if segment.name.hasPrefix("libswift") { return true }
    return segment.file == "/proc/self/exe" && RuntimeFacts.isInProgram
      && Symbolizer.shared.symbol(at: code)?.isInLibrary == true
  }
}

extension HeapDump {
  /// Reads the heap of this process, whole, which must not change meanwhile.
  ///
  /// - Parameters:
  ///   - begin: blocks with later serials were made while the process was copied.
  ///   - end: blocks with later serials are left out.
  /// - Throws: as ``HeapSnapshot/take(survivors:variables:)``.
  package static func ofThisProcess(copiedAt begin: UInt64, upTo end: UInt64) throws -> HeapDump {
    var dump = HeapDump()
    _ = try Survey.make { survey in
      dump = DumpMaker(survey, upTo: end).make()
      dump.facts.allocatorBytes = ResidentMemory.ofMappings(around: survey.blocks)
    }
    dump.facts.moment = begin
    dump.facts.blocksInFlight = dump.blocks.serials.count { $0 > begin }
    return dump
  }
}
