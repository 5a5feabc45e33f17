/// Reads a task's state and finds the memory in which it may hold references.
///
/// Assumes the task layout of ``RuntimeLayout/Task``; the chain of records that hold its name, and
/// the slabs of its allocator, are followed only through memory that is known.
struct TaskReader {
  private typealias Task = RuntimeLayout.Task

  /// Where the task is.
  let address: UInt

  private var flags: UInt32 { Memory.half(address + Task.flags) }
  private var status: UInt32 { Memory.half(address + Task.status) }

  /// Whether what begins with a task's first word is a task that lives, and not what one has left
  /// behind in memory that now serves for something else.
  func isTask(in heap: Classifier) -> Bool {
    flags & Task.kindMask == 0 && flags >> 8 & 0xff <= Task.highestPriority
      && heap.isLive(address)
      && heap.surroundings.segments.isCode(Memory.word(address + Task.resume))
  }

  /// Whether the task is the child of another, in whose frame it may lie.
  var isChild: Bool { flags & Task.isChild != 0 }

  /// Whether a thread is executing the task.
  var isRunning: Bool { status & Task.isRunning != 0 }

  /// Whether the task's body has returned.
  var isFinished: Bool { status & Task.isComplete != 0 }

  /// The first slab of the task's allocator; zero when there is none.
  var firstSlab: UInt { Memory.word(address + Task.firstSlab) }

  /// Where the part that depends on the kind of task begins: the future, then the first frame.
  var future: UInt {
    var offset = Task.size
    if flags & Task.isChild != 0 { offset += 16 }
    if flags & Task.isGroupChild != 0 { offset += 8 }
    return address + offset
  }

  /// Whether the task has room for a result.
  var isFuture: Bool { flags & Task.isFuture != 0 }

  /// The task as the report shows it.
  ///
  /// - Parameter isKnown: whether some bytes at an address can be read.
  func described(isKnown: (UInt, UInt) -> Bool) -> HeapTask {
    let high = UInt64(Memory.half(address + 144))
    let low = UInt64(Memory.half(address + Task.lowID))
    return HeapTask(
      name: isFinished ? nil : name(isKnown: isKnown), id: high << 32 | low,
      isFinished: isFinished, isCancelled: status & Task.isCancelled != 0,
      isEnqueued: status & Task.isEnqueued != 0, isRunning: isRunning, address: address,
      parent: isChild ? Memory.word(address + Task.size) : 0)
  }

  // The records form a list through their second words; the name's has the text in its third.
  private func name(isKnown: (UInt, UInt) -> Bool) -> String? {
    var record = Memory.word(address + Task.records)
    for _ in 0..<64 where record != 0 && record & 7 == 0 && isKnown(record, 24) {
      if Memory.word(record) & 0xff == Task.nameRecord {
        let text = Memory.word(record + 16)
        return isKnown(text, 1) ? Memory.text(text) : nil
      }
      record = Memory.word(record + 8)
    }
    return nil
  }

  /// Which function's code goes on in which frame: the resumption point of the task, then of each
  /// caller. Ends at the first frame that isn't known memory.
  func frames(isKnown: (UInt, UInt) -> Bool) -> [Frame] {
    var frames: [Frame] = []
    var context = Memory.word(address + Task.resumeContext)
    var code = Memory.word(address + Task.resume)
    while context != 0, context & 7 == 0, frames.count < 256, isKnown(context, 16) {
      frames.append(Frame(context: context, code: code))
      code = Memory.word(context + 8)
      context = Memory.word(context)
    }
    return frames.sorted { $0.context < $1.context }
  }

  /// An async frame: where it is and the code that goes on in it.
  struct Frame {
    var context: UInt
    var code: UInt
  }
}
