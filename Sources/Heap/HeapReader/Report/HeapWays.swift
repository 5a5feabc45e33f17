package import MemlabHeapModel
import MemlabRuntimeABI

/// Why objects are alive, as one of several users of the process sees it: one test among others.
///
/// A task that is older than the code in question, or that runs another test, may use what a global
/// variable keeps. The chain from such a task may be the shorter one, but does not explain a leak
/// of this test. So such tasks come last.
package struct HeapWays: Sendable {
  private let builder: ChainBuilder

  fileprivate init(survey: Survey, begin: UInt64?, strangers: Set<UInt>) {
    let bystanders = survey.bystanders(olderThan: begin ?? 0, and: strangers)
    let roots = survey.roots.filter { !bystanders.contains($0.block) }
    let others = survey.roots.filter { bystanders.contains($0.block) && !$0.place.isVariable }
    let reach = Reach(
      edges: survey.edges, blocks: survey.blocks, roots: roots, others: others, stack: [])
    builder = ChainBuilder(survey: survey, locatesClosures: true, reach: reach)
  }

  /// Why one object is alive; nil when it isn't on the recorded heap.
  package func retainChain(to object: AnyObject) -> RetainChain? {
    builder.survey.block(of: object).map(builder.chain)
  }
}

extension HeapSnapshot {
  /// Why objects are alive, as seen by code that began at some time.
  ///
  /// - Parameters:
  ///   - begin: when what is asked about began; nil when no task is too old.
  ///   - strangers: the addresses of tasks that have nothing to do with it, whatever their age.
  package func ways(since begin: HeapMoment?, besides strangers: Set<UInt>) -> HeapWays {
    HeapWays(survey: survey, begin: begin?.serial, strangers: strangers)
  }
}

extension Survey {
  /// The tasks that have nothing to do with what began at some time: older ones, those of the library
  /// that runs tests, some others, and the children of all of these.
  func bystanders(
    olderThan begin: UInt64, and strangers: Set<UInt>
  ) -> Set<Int> {
    let first = tasks.filter { block, task in
      blocks.serial(block) < begin || strangers.contains(task.address)
        || task.name?.hasPrefix(abi.testing.taskPrefix) == true
    }
    var found = Set(first.keys)
    var addresses = Set(first.values.map(\.address))
    var isGrowing = true
    while isGrowing {
      let children = tasks.filter { addresses.contains($1.parent) && !found.contains($0) }
      found.formUnion(children.keys)
      addresses.formUnion(children.values.map(\.address))
      isGrowing = !children.isEmpty
    }
    return found
  }
}
