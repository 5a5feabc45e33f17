import MemlabHeapModel
import MemlabRuntimeABI

/// The tasks that the runtime lists itself: a witness beside the heap, where there is one.
///
/// See ``RegistryRows``. The runtime locks each list while it is read, and skips one that is locked
/// already, so some may be missing.
struct TaskListing {
  private typealias Walk =
    @convention(c) (
      @convention(c) (UInt, UnsafeMutableRawPointer) -> Void, UnsafeMutableRawPointer
    ) -> Void
  private typealias Size = @convention(c) () -> Int
  private static let walk = CFunction.named(RegistryRows.prefix + abi.registry.walk, as: Walk.self)
  private static let count = CFunction.named(RegistryRows.prefix + abi.registry.size, as: Size.self)

  /// Where the tasks are.
  private(set) var tasks: Set<UInt> = []
  /// Whether no task was met twice: a list that leads back into itself would show one again and again.
  private(set) var isSound = true
  /// How many tasks there are by the runtime's own count; nil where it does not tell.
  let size = Self.count?()

  /// What is listed now.
  init() {
    var met: [UInt] = []
    withUnsafeMutablePointer(to: &met) { met in
      Self.walk?({ $1.assumingMemoryBound(to: [UInt].self).pointee.append($0) }, met)
    }
    tasks = Set(met)
    isSound = tasks.count == met.count
  }

  /// What the runtime lists otherwise than the heap was read, as a clause; nil where they agree, as far
  /// as the lists were read and the heap was recorded.
  ///
  /// - Parameters:
  ///   - tasks: the tasks that were found.
  ///   - blocks: what was recorded.
  func fault(beside tasks: [HeapTask], in blocks: BlockList) -> String? {
    guard isSound else { return "a list of tasks that the runtime keeps leads back into itself" }
    let found = Set(tasks.map(\.address))
    let lost = self.tasks.filter { !found.contains($0) && blocks.index(containing: $0) >= 0 }
    // The task of an async let lies in its parent's memory, and may be taken off its list sooner.
    let whole = tasks.filter { blocks.index(of: $0.address) >= 0 }
    let unlisted = size == self.tasks.count ? whole.filter { !self.tasks.contains($0.address) } : []
    guard !lost.isEmpty || !unlisted.isEmpty else { return nil }
    return "of the tasks that the runtime lists, the heap lacks \(lost.count), and of the heap's, "
      + "\(unlisted.count) are not listed"
  }
}
