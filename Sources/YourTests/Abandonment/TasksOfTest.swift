import CMemlabProcess
package import MemlabHeapModel
package import MemlabHeapReader
import MemlabRuntimeABI

extension HeapSnapshot {
  /// Reads the heap and, while it cannot go away, more about it than a snapshot keeps.
  ///
  /// - Parameters:
  ///   - modules: whose functions hold nothing for long. Where one of some tasks is in one of them,
  ///     its frame's slots are not read: they keep what calls before it have left there.
  ///   - waiting: where those tasks are.
  ///   - read: asks the snapshot's ``HeapSurroundings``.
  ///   - first: looks at the blocks that were listed, before anything else is read.
  /// - Returns: the snapshot, and what `read` returned.
  /// - Throws: as ``take(survivors:variables:)``.
  package static func take<Result>(
    skippingFramesOf modules: Set<String> = [], in waiting: [UInt] = [],
    reading read: (HeapSnapshot, HeapSurroundings) -> Result,
    first: (BlockList) -> Void = { _ in }
  ) throws -> (HeapSnapshot, Result) {
    var result: Result?
    let threads = ProcessThread.letOthersComeToRest() ? ThreadsAtRest() : nil
    let skipped = Set(waiting.flatMap { ResumeChain(ofTask: $0)?.functions ?? [] }).filter {
      modules.contains(Symbolizer.shared.symbol(at: $0)?.module ?? "")
    }
    let survey = try Survey.make(
      skipping: skipped,
      read: { survey in
        let surroundings = HeapSurroundings(survey: survey, since: threads)
        result = read(HeapSnapshot(survey: survey), surroundings)
      },
      first: first)
    guard let result else { throw HeapError.notRecording }
    return (HeapSnapshot(survey: survey), result)
  }

  /// The unfinished tasks that were created since a moment, in order of creation; without those of
  /// the library that runs tests. To be asked while the heap is read.
  ///
  /// - Parameters:
  ///   - begin: the moment.
  ///   - strangers: where tasks are that do not count, nor their children.
  package func tasks(since begin: HeapMoment, besides strangers: Set<UInt>) -> [HeapTask] {
    let bystanders = survey.bystanders(olderThan: begin.serial, and: strangers)
    let addresses = Set(bystanders.compactMap { survey.tasks[$0]?.address })
    let young = survey.tasks.filter { !$1.isFinished && !bystanders.contains($0) }.values
    let children = survey.children.filter { !$0.isFinished && !addresses.contains($0.parent) }
    return (young + children).sorted { $0.id < $1.id }
  }

  /// The unfinished tasks that were created after another one, except the children of older ones.
  ///
  /// - Parameters:
  ///   - id: the number of the older task.
  ///   - strangers: where tasks are that do not count, nor their children.
  package func tasks(createdAfter id: UInt64, besides strangers: Set<UInt>) -> [HeapTask] {
    family(
      of: survey.tasks.values.filter {
        !$0.isFinished && $0.id > id && $0.parent == 0 && !strangers.contains($0.address)
      })
  }

  fileprivate func family(of tasks: [HeapTask]) -> [HeapTask] {
    var members = Dictionary(
      tasks.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
    // A parent has a lower number than its child.
    for task in self.tasks where !task.isFinished && members[task.parent] != nil {
      members[task.address] = members[task.address] ?? task
    }
    return members.values.sorted { $0.id < $1.id }
  }

  /// The task-local variables by whose values some tasks keep objects: the variable's name by the
  /// qualified name of the class, or of a collection's storage. To be asked while the heap is read.
  ///
  /// A task keeps each value behind the address of its variable's `TaskLocal` and the value's type:
  /// <https://github.com/swiftlang/swift/blob/main/include/swift/ABI/TaskLocal.h>.
  package func taskLocals(of tasks: [HeapTask]) -> [String: String] {
    var names: [String: String] = [:]
    for block in tasks.compactMap({ survey.block(at: $0.address) }) {
      for part in [block] + survey.edges.slabs(of: block) {
        let region = survey.blocks.region(part)
        for (value, place) in survey.blocks.references(in: region) {
          guard survey.kinds[value] == .instance || survey.kinds[value] == .buffer,
            let type = survey.typeName(of: value),
            let key = region.word(at: place &- abi.task.localKey)
          else { continue }
          if let variable = survey.taskLocal(at: key) { names[type] = variable }
        }
      }
    }
    return names
  }
}

extension HeapSurroundings {
  /// Where the tasks are of other tests than a task's own. No clean test relies on what another test does.
  ///
  /// - Parameter task: where the task is. Without a test of its own, there are none.
  package func tasks(ofOtherTestsThan task: UInt) -> Set<UInt> {
    guard let own = tests[task] else { return [] }
    return Set(tests.filter { $1.isDisjoint(with: own) }.keys)
  }

  /// The unfinished tasks that have one of some objects as a task-local value, the tasks in their
  /// groups and their `async let` included, however deep; in order of creation.
  ///
  /// - Parameters:
  ///   - objects: where the objects are.
  ///   - type: the type of the task-local variable.
  ///   - bystander: where a task is that does not count.
  package func tasks(
    withLocal objects: [UInt], of type: Any.Type, except bystander: UInt
  ) -> [HeapTask] {
    let blocks = survey.blocks(at: objects)
    let owners = locals(of: type).filter { holder, values in
      survey.edges.edges(of: holder).contains { blocks.contains(survey.edges.target($0)) }
        && !blocks.isDisjoint(with: values)
    }.keys.compactMap { survey.tasks[$0] }
    return HeapSnapshot(survey: survey).family(of: owners.filter { $0.address != bystander })
  }

  /// Asks something of a task, but only once: many checks have the same question.
  package func answer(to question: KeyPath<HeapTask, Bool>, about task: HeapTask) -> Bool {
    let answer = answers[question]?[task.address] ?? task[keyPath: question]
    answers[question, default: [:]][task.address] = answer
    return answer
  }

  /// The numbers of the tasks that soon end the sleep of others, where those lead to some objects: as an
  /// app-wide one that has an object in a variable while it sleeps.
  ///
  /// - Parameters:
  ///   - addresses: where the objects are.
  ///   - waiting: where the tasks are that wait for the answer.
  package func alarms(leadingTo addresses: [UInt], besides waiting: [UInt]) -> Set<UInt64> {
    let objects = survey.blocks(at: addresses)
    let sleeping = survey.tasks.filter { block, task in
      guard !task.isFinished, !waiting.contains(task.address), task.isSleeping else { return false }
      let isReached = survey.reached(from: [block])
      return objects.contains { isReached[$0] }
    }
    guard !sleeping.isEmpty else { return [] }
    ground.noteMemoryOfTasks(survey)
    let alarms = Set(sleeping.keys.flatMap { ground.alarms(of: $0, in: survey) })
    return Set(alarms.subtracting(ground.late.tasks).compactMap { survey.tasks[$0]?.id })
  }

  /// Where the unfinished tasks are that have a task-local value of some type, but none of some
  /// objects as that.
  ///
  /// - Parameters:
  ///   - objects: where the objects are.
  ///   - type: the type of the task-local variable.
  package func tasks(withOtherLocalsThan objects: [UInt], of type: Any.Type) -> Set<UInt> {
    let own = survey.blocks(at: objects)
    let strangers = locals(of: type).filter { own.isDisjoint(with: $1) }
    return Set(strangers.keys.compactMap { survey.tasks[$0]?.address })
  }

  // By the task's block; tasks without any are left out.
  private func locals(of type: Any.Type) -> [Int: [Int]] {
    let metadata = unsafeBitCast(type, to: UInt.self)
    if let known = locals[metadata] { return known }
    let found = survey.tasks.filter { !$1.isFinished }.keys.map {
      ($0, survey.locals(of: metadata, task: $0))
    }
    let values = Dictionary(uniqueKeysWithValues: found).filter { !$1.isEmpty }
    locals[metadata] = values
    return values
  }
}

/// The tasks of a check as they were when the heap was listed.
///
/// A task that lives for a few milliseconds is gone before a snapshot has read its memory. Its frames
/// are read here as soon as its block is known.
package struct TasksWhenListed: Sendable {
  private let objects: Set<UInt>
  private let metadata: UInt
  private let bystander: UInt
  private var seen: [(task: HeapTask, chain: ResumeChain)] = []

  /// A glimpse of the tasks that have one of some objects as a task-local value.
  ///
  /// - Parameters:
  ///   - objects: where the objects are.
  ///   - type: the type of the task-local variable.
  ///   - bystander: where a task is that does not count.
  package init(withLocal objects: [UInt], of type: Any.Type, except bystander: UInt) {
    (self.objects, self.bystander) = (Set(objects), bystander)
    metadata = unsafeBitCast(type, to: UInt.self)
  }

  /// Where the tasks waited.
  ///
  /// - Parameter modules: functions declared in these modules are left out.
  package func traces(hiding modules: Set<String>) -> [TaskTrace] {
    seen.map { TaskTrace($0.task, AsyncBacktrace($0.chain, hiding: modules)) }
  }

  /// Looks at the blocks that have just been listed, while none of them can go away.
  package mutating func look(at blocks: BlockList) {
    guard !objects.isEmpty, let symbols = RuntimeSymbols.current else { return }
    blocks.forEachBlock { _, region in
      guard region.count >= abi.task.size, region.word(at: region.start) == symbols.taskMetadata
      else { return }
      look(at: TaskReader(in: region), blocks)
    }
  }

  private mutating func look(at task: TaskReader, _ blocks: BlockList) {
    guard !task.isFinished, task.address != bystander, hasLocal(task, blocks),
      let chain = ResumeChain(ofTask: task.address)
    else { return }
    seen.append((task.described(ProcessMemory(blocks: blocks)), chain))
  }

  // A task-local value stands behind its type, in the task's own block, in its first slab, or in a
  // block of its own.
  private func hasLocal(_ task: TaskReader, _ blocks: BlockList) -> Bool {
    var (parts, local) = ([task.address, task.firstSlab], task.firstLocal)
    while parts.count < 64, let region = blocks.region(of: local), let next = region.word(at: local)
    {
      parts.append(local)
      local = next
    }
    return parts.compactMap(blocks.region(of:)).contains { region in
      var isLocal = false
      region.forEachAddress(within: (0, .max)) { place, word in
        let type = region.word(at: place &- abi.task.localValue)
        isLocal = isLocal || type == metadata && objects.contains(word)
      }
      return isLocal
    }
  }
}

extension Survey {
  /// The tests that tasks work for: of each test that Swift Testing runs, its own task, the children of that,
  /// and what these wait for. By where the task is, and as where the test's own task is.
  var testsOfTasks: [UInt: Set<UInt>] {
    let all = HeapSnapshot(survey: self).tasks
    let tasks = Dictionary(all.map { ($0.address, $0) }, uniquingKeysWith: { $1 })
    func tests(_ address: UInt, depth: Int = 0) -> Set<UInt> {
      // Tasks may wait for each other in a ring.
      guard let task = tasks[address], depth < 16 else { return [] }
      if task.isOfTestLibrary { return [address] }
      let users = task.isChild ? [task.parent] : task.waiters
      return Set(users.flatMap { tests($0, depth: depth + 1) })
    }
    return tasks.mapValues { tests($0.address) }.filter { !$1.isEmpty }
  }

  // Elsewhere in a task's memory may stand what an earlier check's object was called, which had the
  // same address. A task-local value stands behind its type.
  fileprivate func locals(of type: UInt, task: Int) -> [Int] {
    ([task] + edges.slabs(of: task)).flatMap { block in
      let region = blocks.region(block)
      return blocks.references(in: region)
        .filter { region.word(at: $0.place &- abi.task.localValue) == type }.map(\.target)
    }
  }

  // The object of a variable is made when it is used for the first time, or is part of the program.
  fileprivate func taskLocal(at address: UInt) -> String? {
    let name: String?
    if let block = block(at: address) {
      guard typeName(of: block)?.hasPrefix(abi.task.localType) == true else { return nil }
      let variable = segments.all.lazy.filter { $0.is_writable == 1 && !$0.isCore }
        .compactMap { self.blocks.references(in: $0.region).first { $0.target == block }?.place }
        .first
      name = variable.flatMap(Symbolizer.shared.name)
    } else {
      guard segments.segment(at: address)?.is_writable == 1 else { return nil }
      name = Symbolizer.shared.name(at: address)
    }
    guard let name, let dollar = name.lastIndex(of: "$") else { return nil }
    return String(name[..<dollar] + name[name.index(after: dollar)...])
  }
}
