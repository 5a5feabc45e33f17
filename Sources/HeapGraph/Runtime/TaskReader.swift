import RuntimeABI

/// Reads a task's state and finds the memory in which it may hold references.
///
/// Assumes the task layout of `TaskRows`; the chain of records that hold its name, and
/// the slabs of its allocator, are followed only through memory that is known.
struct TaskReader {
  /// Where the task is.
  let address: UInt

  private var flags: UInt32 { Memory.uint32(address + abi.task.flags) }
  private var status: UInt32 { Memory.uint32(address + abi.task.status) }

  /// Whether what begins with a task's first word is a task that lives, and not what one has left
  /// behind in memory that now serves for something else.
  func isTask(in heap: Classifier) -> Bool {
    flags & abi.task.kindBits == 0
      && flags >> abi.task.priorityBit & 0xff <= abi.task.highestPriority
      && heap.isLive(address)
      && heap.surroundings.segments.isCode(Memory.word(address + abi.task.resume))
  }

  /// Whether the task is the child of another, in whose frame it may lie.
  var isChild: Bool { flags & (1 << abi.task.childBit) != 0 }

  /// Whether a thread is executing the task.
  var isRunning: Bool { status & (1 << abi.task.runningBit) != 0 }

  /// Whether the task's body has returned.
  var isFinished: Bool { status & (1 << abi.task.completeBit) != 0 }

  /// The first slab of the task's allocator; zero when there is none.
  var firstSlab: UInt { Memory.word(address + abi.task.firstSlab) }

  /// Where the part that depends on the kind of task begins: the future, then the first frame.
  var future: UInt {
    var offset = abi.task.size
    if flags & (1 << abi.task.childBit) != 0 { offset += abi.task.childSize }
    if flags & (1 << abi.task.groupChildBit) != 0 { offset += abi.task.groupChildSize }
    return address + offset
  }

  /// Whether the task has room for a result.
  var isFuture: Bool { flags & (1 << abi.task.futureBit) != 0 }

  /// The task as the report shows it.
  ///
  /// - Parameter isKnown: whether some bytes at an address can be read.
  func described(isKnown: (UInt, UInt) -> Bool) -> HeapTask {
    let high = UInt64(Memory.uint32(address + abi.task.highID))
    let low = UInt64(Memory.uint32(address + abi.task.lowID))
    return HeapTask(
      name: isFinished ? nil : name(isKnown: isKnown), id: high << 32 | low,
      isFinished: isFinished, isCancelled: status & (1 << abi.task.cancelledBit) != 0,
      isEnqueued: status & (1 << abi.task.enqueuedBit) != 0, isRunning: isRunning, address: address,
      parent: isChild ? Memory.word(address + abi.task.size) : 0)
  }

  // The records form a list through their second words; the name's has the text in its third.
  private func name(isKnown: (UInt, UInt) -> Bool) -> String? {
    guard RuntimeTrust.knows(.taskNames) else { return nil }
    var record = Memory.word(address + abi.task.records)
    for _ in 0..<64 where record != 0 && record & 7 == 0 && isKnown(record, abi.task.nameText + 8) {
      if Memory.word(record) & abi.task.recordKindBits == abi.task.nameRecord {
        let text = Memory.word(record + abi.task.nameText)
        return isKnown(text, 1) ? Memory.text(text) : nil
      }
      record = Memory.word(record + abi.task.nextRecord)
    }
    return nil
  }

  /// Which function's code goes on in which frame: the resumption point of the task, then of each
  /// caller. Ends at the first frame that isn't known memory.
  func frames(isKnown: (UInt, UInt) -> Bool) -> [Frame] {
    var frames: [Frame] = []
    var context = Memory.word(address + abi.task.resumeContext)
    var code = Memory.word(address + abi.task.resume)
    while context != 0, context & 7 == 0, frames.count < 256, isKnown(context, 16) {
      frames.append(Frame(context: context, code: code))
      code = Memory.word(context + abi.async.resume)
      context = Memory.word(context + abi.async.parent)
    }
    return frames.sorted { $0.context < $1.context }
  }

  /// An async frame: where it is and the code that goes on in it.
  struct Frame {
    var context: UInt
    var code: UInt
  }
}
