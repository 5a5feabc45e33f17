package import MemlabHeapModel
// Its regions and block lists are what every file of this module works with.
@_exported public import MemlabHeapScan

/// The heap at one moment: what each recorded block is, and who holds whom.
///
///     HeapRecording.start()
///     let model = makeModel()
///     …
///     let snapshot = try HeapSnapshot.take()
///     print(snapshot.liveInstances["App.Model"] ?? 0)
///     for chain in snapshot.retainChains(to: ["App.Model"]) { print(chain) }
///     HeapRecording.stop()
///
/// A snapshot is a value of numbers and names. It holds nothing that it has seen, so taking one
/// never changes what is alive. Other threads may go on meanwhile, but what they change while the
/// heap is read may be seen half done: take it when the system under study is at rest.
package struct HeapSnapshot: Sendable {
  /// What was found.
  package let survey: Survey

  /// What a survey has found.
  package init(survey: Survey) { self.survey = survey }

  /// Reads the heap. What only a local variable holds has no root.
  ///
  /// - Parameters:
  ///   - survivors: the classes, by qualified name, of which it will be asked why an instance is alive. It
  ///     takes less time where none is. Nil for whatever there is.
  ///   - variables: the names of objects that stand for variables, by their addresses. Each is a
  ///     root, and what it refers to is held by the variable.
  /// - Throws: ``HeapError/notRecording`` when ``HeapRecording`` is off,
  ///   ``HeapError/unknownRuntime(_:)`` when the runtime doesn't even export what is needed, and
  ///   ``HeapError/unheldFrees`` when memory could go away while it is read.
  package static func take(
    survivors: Set<String>? = nil, variables: [UInt: String] = [:]
  ) throws -> HeapSnapshot {
    HeapSnapshot(survey: try Survey.make(survivors: survivors, variables: variables))
  }

  /// How many blocks were live.
  package var blocks: Int { survey.blocks.count }

  /// How many instances of each class were live, by qualified name (see
  /// ``TypeName/qualified(_:)``). The standard library's collections aren't counted.
  package var liveInstances: [String: Int] {
    let byLayout = survey.kinds.instances(ofEach: survey.layouts.count)
    return zip(survey.layouts, byLayout).filter { $0.1 > 0 }
      .reduce(into: [:]) { $0[$1.0.name, default: 0] += $1.1 }
  }

  /// The tasks that were on the heap, in order of creation: unfinished ones, those of `async let`
  /// included, and finished ones whose handle somebody keeps.
  package var tasks: [HeapTask] { survey.allTasks }
}

extension HeapSnapshot {
  /// Why each live instance of some classes is alive, the oldest instance first.
  ///
  /// - Parameters:
  ///   - types: qualified names, as in ``liveInstances``.
  ///   - namingFunctions: whether closures and frames on the way are named, which takes a look into
  ///     the program's file.
  package func retainChains(to types: Set<String>, namingFunctions: Bool = true) -> [RetainChain] {
    let builder = ChainBuilder(survey: survey, namesFunctions: namingFunctions)
    return survey.instances(of: types).map(builder.chain).sorted { $0.serial < $1.serial }
  }

  /// Why one object is alive; nil when it isn't on the recorded heap.
  package func retainChain(to object: AnyObject) -> RetainChain? {
    survey.block(of: object).map(ChainBuilder(survey: survey).chain)
  }

  /// Everything that holds the live instances of some classes, up to the roots.
  ///
  /// - Parameters:
  ///   - types: qualified names, as in ``liveInstances``.
  ///   - isGlue: what is left out because it is not in the source.
  package func holderMap(
    of types: Set<String>, hiding isGlue: @escaping (HeapNode) -> Bool = { _ in false }
  ) -> HolderMap { HolderMapBuilder(survey: survey, isGlue: isGlue).map(of: types) }

  /// For each of some objects a thread that refers to it or to what holds it, of libdispatch's workers
  /// only one that is in somebody's code. What refers to it may be the slot of a variable that is dead
  /// already.
  ///
  /// - Returns: `thread "loader"`, or `a thread` for one without a name; nil when there is none.
  package func threads(referringTo objects: [AnyObject]) -> [String?] {
    guard !objects.isEmpty else { return [] }
    let threads = ThreadStacks(of: survey).others().map {
      (name: $0.name, reaches: survey.reached(from: $0.blocks))
    }
    return objects.map { object in
      guard let block = survey.block(of: object) else { return nil }
      let holders = threads.filter { $0.reaches[block] }
      if let name = holders.lazy.compactMap(\.name).first { return "thread \"\(name)\"" }
      return holders.isEmpty ? nil : "a thread"
    }
  }

  /// The recorder's number of an object: of two objects, the later one has the higher. Nil when it
  /// isn't on the recorded heap.
  package func serial(of object: AnyObject) -> UInt64? {
    survey.block(of: object).map(survey.blocks.serial)
  }

  /// How many groups of objects there are that hold each other and that no root reaches. Rings of plain
  /// memory, which C libraries like, aren't counted.
  package var cycleCount: Int { survey.objectCycles.count }

  /// What some survivors cost: the blocks that would be freed if these instances and tasks were.
  ///
  /// - Parameters:
  ///   - types: qualified names of the classes that should have been released.
  ///   - tasks: names of the tasks that should have finished.
  package func cost(of types: Set<String>, tasks: Set<String> = []) -> (blocks: Int, bytes: Int) {
    let lost = survey.blocksLost(with: types, tasks: tasks)
    return (lost.count, lost.reduce(0) { $0 + Int(survey.blocks.size($1)) })
  }
}
