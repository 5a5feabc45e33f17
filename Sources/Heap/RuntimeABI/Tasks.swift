import CMemlabProcess

private let task = "include/swift/ABI/Task.h"
private let concurrency = "stdlib/public/Concurrency"
private let registry = concurrency + "/TaskRegistry.h"
private let taskPrivate = concurrency + "/TaskPrivate.h"
private let values = "include/swift/ABI/MetadataValues.h"
private let allocator = "stdlib/public/runtime/StackAllocator.h"

/// A task's object.
package struct TaskRows: Sendable {
  /// The version of the layout that `libswift_Concurrency` exports.
  package let version: UInt32 = row(1, concurrency + "/Debug.h", .exports)
  /// Its size in bytes, without what follows for some kinds of tasks.
  package let size: UInt = row(208, task, .exports, [.arm64: 224])
  /// Where the next of the tasks is that wait for the same task.
  package let nextWaiter: UInt = row(16, task, .waiters)
  /// Where the flags are. Their lowest byte is the job's kind, the next its priority.
  package let flags: UInt = row(32, task, .tasks)
  /// The bits of the flags that are 0 for a task.
  package let kindBits: UInt32 = row(0xff, values, .tasks)
  /// The lowest bit of the priority, which has eight.
  package let priorityBit: UInt32 = row(8, values, .tasks, mutant: 24)
  /// The highest priority.
  package let highestPriority: UInt32 = row(0x21, values, .tasks, mutant: 0x20)
  /// Set in the flags of another task's child.
  package let childBit: UInt32 = row(24, values, .asyncLet)
  /// Set in the flags of a task that has a result.
  package let futureBit: UInt32 = row(25, values, .taskResults)
  /// Set in the flags of a child in a group.
  package let groupChildBit: UInt32 = row(26, values, .taskGroups)
  /// Where the lower half of the task's number is.
  package let lowID: UInt = row(36, task, .tasks)
  /// Where the upper half is.
  package let highID: UInt = row(144, taskPrivate, .tasks)
  /// Where the function is that the task goes on in. Its context follows.
  package let resume: UInt = row(56, task, .frames)
  /// Where that function's context is.
  package let resumeContext: UInt = row(64, task, .frames)
  /// Where the status is.
  package let status: UInt = row(96, taskPrivate, .tasks)
  /// Set in the status once the task was cancelled.
  package let cancelledBit: UInt32 = row(8, taskPrivate, .tasks)
  /// Set in the status while a thread runs the task.
  package let runningBit: UInt32 = row(11, taskPrivate, .tasks)
  /// Set in the status while the task waits for its turn on an executor.
  package let enqueuedBit: UInt32 = row(12, taskPrivate, .tasks)
  /// Set in the status once the task's body has returned.
  package let completeBit: UInt32 = row(13, taskPrivate, .tasks)
  /// Where the first record is: of a name, a child, a cancellation handler.
  package let records: UInt = row(104, taskPrivate, .taskNames)
  /// Where the first slab of the task's memory is; zero where each frame is a block of its own, which
  /// Swift 6.3 does for `SWIFT_DEBUG_ENABLE_TASK_SLAB_ALLOCATOR=0`.
  package let firstSlab: UInt = row(120, taskPrivate, .slabs, [:], .whereFramesAreInSlabs)
  /// Where the first task-local value is. It begins with the next one's address, and with marks in its
  /// lowest bits where that is of the parent.
  package let firstLocal: UInt = row(136, taskPrivate, .taskLocals)
  /// Where a record has the next one. It begins with its flags.
  package let nextRecord: UInt = row(8, "include/swift/ABI/TaskStatus.h", .taskNames)
  /// The bits of a record's flags that say its kind.
  package let recordKindBits: UInt = row(0xff, values, .taskNames)
  /// The kind of the record of a name.
  package let nameRecord: UInt = row(6, values, .taskNames)
  /// Where such a record has the text's address.
  package let nameText: UInt = row(16, "include/swift/ABI/TaskStatus.h", .taskNames)
  /// How much a child has behind the fixed part: its parent's address, and the next child's.
  package let childSize: UInt = row(16, task, .asyncLet)
  /// How much a child in a group has behind that.
  package let groupChildSize: UInt = row(8, task, .taskGroups)
  /// The bits of the first word of a result that say whether there is one.
  package let resultBits: UInt = row(3, task, .taskResults)
  /// What they say when the task has returned a value.
  package let returned: UInt = row(1, task, .taskResults)
  /// What they say when it has thrown an error.
  package let threw: UInt = row(2, task, .taskResults)
  /// Where the result has the address of its type.
  package let resultType: UInt = row(8, task, .taskResults)
  /// Where the error is.
  package let resultError: UInt = row(16, task, .taskResults)
  /// Where the value is, if its alignment is 8 at most.
  package let resultValue: UInt = row(24, task, .taskResults)
  /// How far behind the type of a task-local value the value is.
  package let localValue: UInt = row(8, "include/swift/ABI/TaskLocal.h", .taskLocals)
  /// How far behind the address of a task-local value's variable, its `TaskLocal`, the value is.
  package let localKey: UInt = row(16, "include/swift/ABI/TaskLocal.h", .taskLocals)
  /// Begins the name of that variable's class.
  package let localType = row(
    "Swift.TaskLocal<", "stdlib/public/Concurrency/TaskLocal.swift", .taskLocals)
}

/// A slab of a task's memory.
package struct SlabRows: Sendable {
  /// Where the next slab is.
  package let next: UInt = row(8, allocator, .slabs, [:], .whereFramesAreInSlabs)
  /// Where it is how many bytes behind the header are in use: four bytes.
  package let used: UInt = row(20, allocator, .slabs, [:], .whereFramesAreInSlabs)
  /// How long the header is.
  package let header: UInt = row(32, allocator, .slabs, [:], .whereFramesAreInSlabs)
}

/// The context of an async function, and what refers to such a function.
package struct AsyncRows: Sendable {
  /// Where a context has its caller's.
  package let parent: UInt = row(0, task, .frames)
  /// Where it has the function that the caller goes on in.
  package let resume: UInt = row(8, task, .frames)
  /// Where the pointer to an async function has the size of the function's context: four bytes,
  /// behind the function's relative address.
  package let contextSize: UInt = row(4, "include/swift/ABI/Executor.h", .closures)
}

/// Executors and jobs.
package struct JobRows: Sendable {
  /// How far into a task its job begins.
  package let offset: UInt = row(0, task, .executors)
  /// Both words of the executor that means the runtime's own thread pool.
  package let genericExecutor: UInt = row(0, "include/swift/ABI/Executor.h", .executors)
  /// Whether the runtime escalates the priority of a task that is enqueued, by another job for it that
  /// lists and queues show beside the task: 0 on Linux, so that there is none here,
  /// https://github.com/swiftlang/swift/pull/86082.
  package let stealers: UInt32 = row(0, concurrency + "/Debug.h", .stealers)
  /// The variable that says so.
  package let stealersSymbol = row(
    "supportsPriorityEscalation", concurrency + "/Debug.h", .stealers)
}

/// The lists that the runtime keeps of its tasks since Swift 6.3, for debuggers: one for each remainder
/// of a task's number, linked through the tasks. A list owns none of its tasks.
///
/// No release has them yet: https://github.com/swiftlang/swift/pull/90547.
package struct RegistryRows: Sendable {
  /// Begins the names of what the library exports of them.
  package static let prefix = "_swift_concurrency_"
  /// The lists: where each has its first task's address.
  package let lists = listRow("task_registry")
  /// How many there are.
  package let count: UInt = row(64, registry, .registry, [:], .whereTasksAreListed, mutant: 32)
  /// How far they lie apart: a cache line.
  package let stride: UInt = row(64, registry, .registry, [:], .whereTasksAreListed)
  /// The function that calls another with each task that is listed, and skips a list that is locked.
  package let walk = listRow("debug_task_registryWalk")
  /// The function that tells how many tasks are listed.
  package let size = listRow("debug_task_registryCount")

  /// The memory in which the lists begin; empty where there are none.
  package var memory: Range<UInt> {
    guard let start = memlab_loaded_symbol(Self.prefix + lists) else { return 0..<0 }
    return UInt(bitPattern: start)..<UInt(bitPattern: start) + count * stride
  }

  /// Whether the runtime keeps such lists in this process: it may have none, or have them switched off.
  package static let isKept: Bool = {
    let enabled = memlab_loaded_symbol(prefix + "task_registry_enabled")
    return memlab_loaded_symbol(prefix + "task_registry") != nil
      && enabled?.load(as: UInt8.self) != 0
  }()
}

private func listRow(_ name: String) -> String {
  row(name, registry, .registry, [:], .whereTasksAreListed)
}

/// The storage of a stream.
package struct StreamRows: Sendable {
  /// The qualified names of its class without their generic arguments: today's, and what comes after
  /// Swift 6.3, https://github.com/swiftlang/swift/pull/88017.
  package let storage = row(
    [
      "Swift.AsyncStream<>._Storage", "Swift.AsyncThrowingStream<>._Storage",
      "Swift._AsyncStreamStorage<>",
    ], concurrency + "/AsyncStreamBuffer.swift", .streams)

  /// Whether a class of this qualified name is one that keeps a stream.
  package func isStorage(_ name: String) -> Bool {
    guard let open = name.firstIndex(of: "<"), let close = name.lastIndex(of: ">") else {
      return false
    }
    return storage.contains(String(name[...open] + name[close...]))
  }
}

private let source = "swift-corelibs-libdispatch/src/inline_internal.h"

/// What libdispatch notes a call in that it is to make.
package struct DispatchRows: Sendable {
  /// Its size in bytes.
  package let size: UInt = row(64, source, .dispatchBlocks)
  /// Where the priority is.
  package let priority: UInt = row(8, source, .dispatchBlocks)
  /// Where the next one of a list is.
  package let next: UInt = row(16, source, .dispatchBlocks)
  /// Where the voucher is.
  package let voucher: UInt = row(24, source, .dispatchBlocks)
  /// Where the function is.
  package let function: UInt = row(32, source, .dispatchBlocks)
  /// Where the function's argument is.
  package let argument: UInt = row(40, source, .dispatchBlocks)
  /// How many of them a thread keeps for later calls.
  package let kept: UInt32 = row(
    1024, "swift-corelibs-libdispatch/src/queue.c", .dispatchBlocks, mutant: 0)
}
