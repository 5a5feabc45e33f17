package import MemlabHeapModel
import MemlabRuntimeABI

/// Reads a task's state and finds the memory in which it may hold references.
///
/// Assumes the task layout of `TaskRows`; the chain of records that hold its name, and its frames,
/// are followed only through memory that can be read.
package struct TaskReader {
  private let region: Region

  /// Where the task is.
  package var address: UInt { region.start }

  /// A task, or what may be one.
  ///
  /// - Parameter region: begins where the task does.
  package init(in region: Region) { self.region = region }

  /// A task that the caller keeps alive.
  ///
  /// - Parameter address: as `unsafeBitCast` gives it for a `Task` or an `UnsafeCurrentTask`.
  package init(address: UInt) { region = Region(proven: address, count: abi.task.size + 8) }

  private var flags: UInt32 { region.uint32(at: address + abi.task.flags) ?? 0 }
  private var status: UInt32 { region.uint32(at: address + abi.task.status) ?? 0 }

  private func isSet(_ bit: UInt32, in flags: UInt32) -> Bool { flags >> bit & 1 == 1 }
  private func word(_ offset: UInt) -> UInt { region.word(at: address + offset) ?? 0 }

  /// Whether what begins with a task's first word is a task that lives, and not what one has left
  /// behind in memory that now serves for something else.
  func isTask(_ counts: ReferenceCounts, _ segments: LoadedSegments) -> Bool {
    region.count >= abi.task.size && flags & abi.task.kindBits == 0
      && flags >> abi.task.priorityBit & 0xff <= abi.task.highestPriority
      && counts.isLive(region) && segments.isCode(word(abi.task.resume))
  }

  /// Whether the task is the child of another, in whose frame it may lie.
  var isChild: Bool { isSet(abi.task.childBit, in: flags) }

  /// Whether a thread is executing the task.
  var isRunning: Bool { isSet(abi.task.runningBit, in: status) }

  /// Whether the task's body has returned.
  package var isFinished: Bool { isSet(abi.task.completeBit, in: status) }

  /// The first slab of the task's allocator; zero when there is none.
  package var firstSlab: UInt { word(abi.task.firstSlab) }

  /// The first of the task's task-local values; zero when there is none.
  package var firstLocal: UInt { word(abi.task.firstLocal) }

  /// Where the part that depends on the kind of task begins, counted from the task: the future, then
  /// the first frame.
  var future: UInt {
    var offset = abi.task.size
    if isChild { offset += abi.task.childSize }
    if isSet(abi.task.groupChildBit, in: flags) { offset += abi.task.groupChildSize }
    return offset
  }

  /// Whether the task has room for a result.
  var isFuture: Bool { isSet(abi.task.futureBit, in: flags) }

  /// The task as the report shows it.
  ///
  /// - Parameter memory: what its name may lie in; nil where it is not needed.
  package func described(_ memory: ProcessMemory?) -> HeapTask {
    let high = UInt64(region.uint32(at: address + abi.task.highID) ?? 0)
    let low = UInt64(region.uint32(at: address + abi.task.lowID) ?? 0)
    return HeapTask(
      name: isFinished ? nil : memory.flatMap { try? name($0) }, id: high << 32 | low,
      isFinished: isFinished, isCancelled: isSet(abi.task.cancelledBit, in: status),
      isEnqueued: isSet(abi.task.enqueuedBit, in: status), isRunning: isRunning, address: address,
      parent: isChild ? word(abi.task.size) : 0, waiters: memory.map(waiters) ?? [])
  }

  // The latest stands in the first word of the result, as long as there is none.
  private func waiters(_ memory: ProcessMemory) -> [UInt] {
    guard isFuture, !isFinished, RuntimeTrust.knows(.waiters) else { return [] }
    return list(from: future, next: abi.task.nextWaiter, memory)
  }

  // The name's record has the text in its third word.
  private func name(_ memory: ProcessMemory) throws(Unreadable) -> String {
    guard RuntimeTrust.knows(.taskNames) else { throw Unreadable() }
    for record in list(from: abi.task.records, next: abi.task.nextRecord, memory)
    where try memory.word(record) & abi.task.recordKindBits == abi.task.nameRecord {
      return try memory.text(memory.word(record &+ abi.task.nameText))
    }
    throw Unreadable()
  }

  /// Where the blocks begin that are nothing but the task's memory: its frames, task-local values and
  /// records. None where these are in slabs, or the task has ended.
  package func ownBlocks(_ memory: ProcessMemory) -> [UInt] {
    guard firstSlab == 0, !isFinished else { return [] }
    return frames(memory).map(\.context) + list(from: abi.task.firstLocal, next: 0, memory)
      + list(from: abi.task.records, next: abi.task.nextRecord, memory)
  }

  // The members of a list, up to one whose link is marked: what follows is not of this task.
  private func list(from first: UInt, next: UInt, _ memory: ProcessMemory) -> [UInt] {
    var (members, member) = ([UInt](), word(first))
    while member != 0, member & 7 == 0, members.count < 64 {
      members.append(member)
      member = (try? memory.word(member &+ next)) ?? 0
    }
    return members
  }

  /// Which function's code goes on in which frame: that of the task's closure first, and that of the
  /// resumption point last. Begins behind the last frame that cannot be read.
  func frames(_ memory: ProcessMemory) -> [Frame] {
    var frames: [Frame] = []
    var (context, code) = (word(abi.task.resumeContext), word(abi.task.resume))
    while context != 0, context & 7 == 0, frames.count < 256,
      let region = try? memory.region(at: context, count: abi.async.resume + 8)
    {
      frames.append(Frame(context: context, code: code))
      code = region.word(at: context + abi.async.resume) ?? 0
      context = region.word(at: context + abi.async.parent) ?? 0
    }
    return frames.reversed()
  }

  /// An async frame: where it is and the code that goes on in it.
  struct Frame {
    /// The frame's address.
    var context: UInt
    /// Where the function goes on.
    var code: UInt
  }
}

extension HeapTask {
  /// Where the calling task is and its number; nil outside tasks.
  package static var current: (address: UInt, id: UInt64)? {
    guard RuntimeSymbols.current != nil, let address = addressOfCurrent else { return nil }
    return (address, TaskReader(address: address).described(nil).id)
  }

  /// Where the calling task is; nil outside tasks.
  static var addressOfCurrent: UInt? {
    withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
  }
}
