package import MemlabHeapModel

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
  let survey: Survey

  /// Reads the heap.
  ///
  /// - Parameters:
  ///   - scanningStack: whether a word of the current thread's stack may be a root. Among them are
  ///     leftovers of calls that have returned, so only tests ask for it. Without, what only a local
  ///     variable holds has no root.
  ///   - tracing: about what it will be asked why it is alive.
  ///   - variables: the names of objects that stand for variables, by their addresses. Each is a
  ///     root, and what it refers to is held by the variable.
  /// - Throws: ``HeapError/notRecording`` when ``HeapRecording`` is off,
  ///   ``HeapError/unknownRuntime(_:)`` when the runtime doesn't even export what is needed, and
  ///   ``HeapError/unheldFrees`` when memory could go away while it is read.
  package static func take(
    scanningStack: Bool = false, tracing: HeapTracing = .everything,
    variables: [UInt: String] = [:]
  ) throws -> HeapSnapshot {
    HeapSnapshot(
      survey: try Survey.make(
        scanningStack: scanningStack, tracing: tracing, variables: variables))
  }

  /// How many blocks were live.
  package var blocks: Int { survey.blocks.count }

  /// Their size together.
  package var bytes: Int { survey.kinds.indices.reduce(0) { $0 + Int(survey.blocks.size($1)) } }

  /// How many blocks of each kind were live.
  package var blocksByKind: [HeapBlockKind: Int] {
    survey.kinds.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// How many instances of each class were live, by qualified name (see
  /// ``TypeName/qualified(_:)``). The standard library's collections aren't counted.
  package var liveInstances: [String: Int] {
    var byLayout = [Int](repeating: 0, count: survey.layouts.count)
    for block in survey.kinds.indices where survey.kinds[block] == .instance {
      byLayout[Int(survey.layoutIDs[block])] += 1
    }
    var result: [String: Int] = [:]
    for (layout, count) in zip(survey.layouts, byLayout) where count > 0 {
      result[layout.name, default: 0] += count
    }
    return result
  }

  /// The tasks that were on the heap, in order of creation: unfinished ones, those of `async let`
  /// included, and finished ones whose handle somebody keeps.
  package var tasks: [HeapTask] {
    (survey.tasks.values + survey.children).sorted { $0.id < $1.id }
  }
}
