import MemlabHeapModel
import MemlabRuntimeABI

/// Results of tasks, child tasks, tasks that wait for another, and a task-local value.
struct FamilyPlanting: Planting {
  private struct Failure: Error { let seed = Seed() }
  private final class Local: Sendable {}

  private enum Locals { @TaskLocal static var planted: Local? }

  private let executor = PlantedExecutor()
  private let result = Seed()
  private let local = Local()
  private let returned: Task<Seed, Never>
  private let threw: Task<Seed, any Error>
  private let parent: Task<Void, Never>
  private let awaited: Task<Void, Never>
  private let waiting: [Task<Void, Never>]
  private let withLocal: Task<Void, Never>
  private let asyncLet = PlantedWord()
  private let groupChild = PlantedWord()

  /// Starts the tasks, and runs them until each is over or waits.
  init() {
    let (result, executor, asyncLet, groupChild) = (result, executor, asyncLet, groupChild)
    returned = Task.detached(executorPreference: executor) { result }
    threw = Task.detached(executorPreference: executor) { throw Failure() }
    parent = Task.detached(executorPreference: executor) {
      async let first = Self.child(asyncLet, executor)
      await withTaskGroup(of: Seed.self) { group in
        group.addTask { await Self.child(groupChild, executor) }
        await group.waitForAll()
      }
      _ = await first
    }
    let awaited = Task.detached(executorPreference: executor) { await executor.waitForEnd() }
    self.awaited = awaited
    waiting = (0..<2).map { _ in
      Task.detached(executorPreference: executor) { await awaited.value }
    }
    withLocal = Locals.$planted.withValue(local) {
      Task(executorPreference: executor) { await executor.waitForEnd() }
    }
    executor.run()
  }

  private static func child(_ place: PlantedWord, _ executor: PlantedExecutor) async -> Seed {
    place.noteTask()
    await executor.waitForEnd()
    return Seed()
  }

  /// Lets the waiting tasks end.
  func end() { executor.end() }

  func compare(_ findings: inout ProbeFindings) {
    compareResults(&findings)
    compareChildren(&findings)
    // The task knows the latest of those that wait for it, and each the one before it.
    let waiting = waiting.map { address(of: $0) }
    let latest = Place(address(of: awaited))[abi.task.size].word.map { $0 & ~3 }
    findings.expect(
      "task.nextWaiter",
      latest == waiting[1] && Place(waiting[1])[abi.task.nextWaiter].word == waiting[0])
    compareLocal(&findings)
  }

  private func compareResults(_ findings: inout ProbeFindings) {
    let (good, bad) = (Place(address(of: returned)), Place(address(of: threw)))
    let rows = abi.task
    let flags = good[rows.flags].uint32 ?? ~0
    // Every task of a handle has room for a result; none of these is a child.
    findings.expect("task.futureBit", flags >> rows.futureBit & 1 == 1 && flags >> 24 & 5 == 0)
    let result = good[rows.size]
    let (status, failure) = (result.word ?? 0, bad[rows.size].word ?? 0)
    let hasReturned = status & rows.resultBits == rows.returned
    let hasThrown = failure & rows.resultBits == rows.threw
    findings.expect("task.returned", hasReturned)
    findings.expect("task.threw", hasThrown)
    findings.expect("task.resultBits", hasReturned && hasThrown)
    findings.expect("task.resultType", result[rows.resultType].word == metadata(of: Seed.self))
    findings.expect("task.resultValue", result[rows.resultValue].word == self.result.address)
    let error = bad[rows.size][rows.resultError].target
    findings.expect("task.resultError", error[16].word == metadata(of: Failure.self))
  }

  private func compareChildren(_ findings: inout ProbeFindings) {
    let (parent, rows) = (address(of: parent), abi.task)
    let (first, second) = (Place(asyncLet.word), Place(groupChild.word))
    let flags = rows.flags
    for child in [first, second] {
      findings.expect(
        "task.childBit", bit: rows.childBit, in: child[flags], notIn: Place(parent)[flags])
    }
    findings.expect(
      "task.groupChildBit", bit: rows.groupChildBit, in: second[flags], notIn: first[flags])
    // A child has more fields than other tasks. Its result follows them.
    let behind = rows.size + rows.childSize
    let type = metadata(of: Seed.self)
    findings.expect("task.childSize", first[rows.size].word == parent)
    findings.expect("task.childSize", first[behind][rows.resultType].word == type)
    let further = second[behind + rows.groupChildSize]
    findings.expect("task.groupChildSize", further[rows.resultType].word == type)
  }

  private func compareLocal(_ findings: inout ProbeFindings) {
    let task = Place(address(of: withLocal))
    let slab = task[abi.task.firstSlab].target
    // The task has those of its creator, too; each begins with the address of the next.
    let locals = sequence(first: task[abi.task.firstLocal].target, next: { $0.target })
      .prefix(64).prefix { $0.word != nil }
    // In the task's own block, in the first slab of its memory, or in a block of its own.
    let used = abi.slab.header + UInt(slab[abi.slab.used].uint32 ?? 0)
    let own: [(start: Place, length: UInt)] = [(task, task.room ?? 0), (slab, used)]
    let value = address(of: local)
    var places: [Place] = []
    for (start, length) in own + locals.map({ ($0, 32) }) {
      for (index, word) in start.words(bytes: length).enumerated() where word == value {
        places.append(start[UInt(index) * 8])
      }
    }
    func stands(_ word: UInt, before distance: UInt) -> Bool {
      places.contains { $0.before(distance).word == word }
    }
    findings.expect(
      "task.localValue", stands(metadata(of: Local?.self), before: abi.task.localValue))
    findings.expect(
      "task.firstLocal",
      places.contains { place in locals.contains { $0[24].address == place.address } })
    findings.expect(
      "task.localKey", stands(address(of: Locals.$planted), before: abi.task.localKey))
    let name = TypeName.qualified(Swift.type(of: Locals.$planted))
    findings.expect("task.localType", name.hasPrefix(abi.task.localType))
  }

  var references: [PlantedReference] {
    [.init(.taskResults, .result, in: address(of: returned), result.address)]
  }
}
