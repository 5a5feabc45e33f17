import CMemlabRecorder
package import MemlabHeapModel
import MemlabRuntimeABI

/// Everything that a snapshot found out: numbers and names, no reference to any object.
package final class Survey: Sendable {
  /// The recorded blocks.
  package let blocks: BlockList
  /// What each block is.
  package let kinds: BlockTypes
  /// The layouts.
  package let layouts: [TypeLayout]
  /// What of them is asked for every block. Others add to it as soon as the heap is not held any more.
  package let types: TypeTable
  /// Who refers to whom.
  package let edges: EdgeList
  /// The function stored beside a reference to a context, by the context's block.
  var functions: [Int: UInt] { contextFunctions.withLock { $0.table } }
  private let contextFunctions: Guarded<ContextFunctions>
  /// The function stored beside a reference to an object, by the reference.
  let closures: [Int: UInt]
  /// Where the metadata of an error's type is, by the error's block.
  let errorTypes: [Int: UInt]
  /// How many more slots of frames refer to a block than there are references.
  package let repeats: [Int: Int32]
  /// The tasks, by block.
  package let tasks: [Int: HeapTask]
  /// The tasks of `async let`, which are no blocks of their own.
  package let children: [HeapTask]
  /// All of these, the oldest first.
  let allTasks: [HeapTask]
  /// The runtime's counts beside the references found.
  package let check: CrossCheck
  /// Unfinished tasks and global variables that refer to blocks.
  let roots: [FoundRoot]
  /// The names of the blocks that stand for variables.
  let variables: [Int: String]
  /// The shortest way to each block.
  let reach: Reach
  /// The memory of unknown use whose words mean nothing.
  package let leftovers: Leftovers
  /// What was loaded.
  package let segments: LoadedSegments
  /// What the runtime lists otherwise than the heap shows, as a clause; nil where they agree.
  package let listingFault: String?

  private static let catalog = Guarded(TypeCatalog())

  /// Reads every type anew from here on: what is known of the runtime has changed.
  static func forgetLayouts() { catalog.withLock { $0 = TypeCatalog() } }

  /// Reads the heap as it is now. One survey at a time; memory that is freed meanwhile stays
  /// readable until the survey is done, and the calling thread's own blocks aren't recorded.
  ///
  /// - Parameters:
  ///   - skipped: the code of frames whose slots are not read.
  ///   - variables: the names of objects that stand for variables, by their addresses.
  ///   - read: reads more of the blocks, while their memory is sure to be there.
  ///   - first: is told of the blocks as soon as they are listed.
  /// - Throws: ``HeapError`` when the heap is not recorded, or not to be read here.
  package static func make(
    survivors: Set<String>? = nil, skipping skipped: Set<UInt> = [],
    variables: [UInt: String] = [:],
    read: (Survey) -> Void = { _ in }, first: (BlockList) -> Void = { _ in }
  ) throws -> Survey {
    try holdingFrees { blocks, catalog in
      let survey = Survey(
        of: blocks, first, catalog: &catalog, skipping: skipped, survivors: survivors,
        variables: variables)
      read(survey)
      return survey
    }
  }

  /// Whether nothing is left that was allocated since a moment and is an unfinished task, or an object of
  /// a class outside of some modules. Who refers to whom is not read.
  ///
  /// - Throws: as ``make(survivors:skipping:variables:read:first:)``.
  package static func isNothingLeft(
    since begin: HeapMoment, outside modules: Set<String>
  ) throws -> Bool {
    try holdingFrees { blocks, catalog in
      let (memory, counts) = (ProcessMemory(blocks: blocks), ReferenceCounts(blocks: blocks))
      return !blocks.blocks(after: begin.serial).contains { block in
        let region = blocks.region(block)
        guard region.count >= abi.object.header, let word = region.word(at: region.start) else {
          return false
        }
        if word == RuntimeSymbols.current?.taskMetadata, region.count >= abi.task.size {
          let task = TaskReader(in: region)
          return task.isTask(counts, memory.segments) && !task.isFinished
            && !task.described(nil).isAlarm
        }
        let known = catalog.table.id(of: word)
        let type = known < 0 ? catalog.read(word, memory) : known
        return type >= 0 && catalog.layouts[Int(type)].isOfClass(outside: modules)
          && counts.isLive(region)
      }
    }
  }

  private static func holdingFrees<Result>(
    _ body: (BlockList, inout TypeCatalog) -> Result
  ) throws -> Result {
    guard HeapRecording.isOn else { throw HeapError.notRecording }
    return try HeapRecording.withoutRecording {
      try HeapSelfCheck.checkExports()
      return try catalog.withLock { catalog in
        guard heap_recorder_hold_frees() else { throw HeapError.unheldFrees }
        defer { heap_recorder_release_frees() }
        return body(BlockList(), &catalog)
      }
    }
  }

  private init(
    of listed: BlockList, _ first: (BlockList) -> Void, catalog: inout TypeCatalog,
    skipping skipped: Set<UInt>, survivors: Set<String>?, variables: [UInt: String]
  ) {
    first(listed)
    let details = HeapDetails(of: listed, catalog: catalog, skippingFramesOf: skipped)
    (segments, leftovers) = (details.memory.segments, details.leftovers)
    let heap = Classifier(blocks: listed, segments: segments, table: catalog.table, guide: details)
    var finder = EdgeFinder(heap: heap)
    catalog = details.catalog
    let named = variables.map { (listed.index(of: $0), $1) }.filter { $0.0 >= 0 }
    self.variables = Dictionary(named, uniquingKeysWith: { first, _ in first })
    let ownership = OwnershipEdges(
      finder: &finder, details: details, variables: self.variables.keys.sorted(),
      survivors: survivors)
    (check, roots) = (ownership.check, ownership.roots)
    edges = ownership.edges
    reach = ownership.reach
    blocks = listed
    kinds = heap.kinds
    (layouts, types) = (catalog.layouts, catalog.table)
    var functions = finder.functions
    for case (let block, let function?) in ownership.roots.map({ ($0.block, $0.function) }) {
      functions.note(function, of: block, isSure: false)
    }
    contextFunctions = Guarded(functions)
    closures = finder.closures
    errorTypes = details.errorTypes
    repeats = finder.repeats
    tasks = details.tasks
    children = Array(details.children.values)
    allTasks = (tasks.values + children).sorted { $0.id < $1.id }
    listingFault =
      RegistryRows.isKept && RuntimeTrust.knows(.registry)
      ? TaskListing().fault(beside: tasks.values + children, in: listed) : nil
  }

  /// The layout of a block; nil for blocks without metadata.
  package func layout(of block: Int) -> TypeLayout? {
    let type = kinds.type(of: block)
    return type < 0 ? nil : layouts[Int(type)]
  }

  /// The qualified name of the class of an instance, or of the type of an error; nil for what is
  /// neither.
  package func typeName(of block: Int) -> String? {
    if let type = errorTypes[block] {
      return TypeName.qualified(unsafeBitCast(type, to: Any.Type.self))
    }
    return layout(of: block).flatMap { $0.name.isEmpty ? nil : $0.name }
  }
}
