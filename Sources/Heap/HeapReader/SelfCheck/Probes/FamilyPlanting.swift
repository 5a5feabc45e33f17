import MemlabHeapModel
import MemlabRuntimeABI

/// Results of tasks, child tasks, tasks that wait for another, and a task-local value.
struct FamilyPlanting: Planting {
  private struct Failure: Error { let seed = Seed() }
  private final class Local: Sendable {}

  private enum Locals {
    @TaskLocal static var planted: Local?
  }

  private let executor = PlantedExecutor()
  private let gate = PlantedGate()
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
    let (gate, result, executor) = (gate, result, executor)
    let (asyncLet, groupChild) = (asyncLet, groupChild)
    returned = Task.detached(executorPreference: executor) { result }
    threw = Task.detached(executorPreference: executor) { throw Failure() }
    parent = Task.detached(executorPreference: executor) {
      async let first = Self.child(asyncLet, gate)
      await withTaskGroup(of: Seed.self) { group in
        group.addTask { await Self.child(groupChild, gate) }
        await group.waitForAll()
      }
      _ = await first
    }
    let awaited = Task.detached(executorPreference: executor) { await gate.pass() }
    self.awaited = awaited
    waiting = (0..<2).map { _ in
      Task.detached(executorPreference: executor) { await awaited.value }
    }
    withLocal = Locals.$planted.withValue(local) {
      Task(executorPreference: executor) { await gate.pass() }
    }
    executor.run()
  }

  private static func child(_ place: PlantedWord, _ gate: PlantedGate) async -> Seed {
    place.noteTask()
    await gate.pass()
    return Seed()
  }

  /// Lets the waiting tasks end.
  func end() {
    gate.open()
    executor.run()
  }

  func compare(_ findings: inout ProbeFindings) {
    compareResults(&findings)
    compareChildren(&findings)
    // The task knows the latest of those that wait for it, and each the one before it.
    let waiting = waiting.map { address(of: $0) }
    let latest = Peek.word(address(of: awaited) + abi.task.size).map { $0 & ~3 }
    findings.expect(
      "task.nextWaiter",
      latest == waiting[1] && Peek.word(waiting[1] + abi.task.nextWaiter) == waiting[0])
    compareLocal(&findings)
  }

  private func compareResults(_ findings: inout ProbeFindings) {
    let (good, bad) = (address(of: returned), address(of: threw))
    let flags = Peek.uint32(good + abi.task.flags)
    // Every task of a handle has room for a result; none of these is a child.
    findings.expect("task.futureBit", flags.map { $0 >> abi.task.futureBit & 1 == 1 } ?? false)
    findings.expect("task.futureBit", flags.map { $0 >> 24 & 5 == 0 } ?? false)
    func status(_ task: UInt) -> UInt? {
      Peek.word(task + abi.task.size).map { $0 & abi.task.resultBits }
    }
    findings.expect("task.returned", status(good) == abi.task.returned)
    findings.expect("task.threw", status(bad) == abi.task.threw)
    findings.expect(
      "task.resultBits", status(good) == abi.task.returned && status(bad) == abi.task.threw)
    let place = good + abi.task.size
    findings.expect(
      "task.resultType", Peek.word(place + abi.task.resultType) == metadata(of: Seed.self))
    findings.expect("task.resultValue", Peek.word(place + abi.task.resultValue) == result.address)
    let error = Peek.word(bad + abi.task.size + abi.task.resultError)
    findings.expect("task.resultError", Peek.word(error + 16) == metadata(of: Failure.self))
  }

  private func compareChildren(_ findings: inout ProbeFindings) {
    let parent = address(of: parent)
    let (first, second) = (asyncLet.word, groupChild.word)
    let flags = abi.task.flags
    for child in [first, second] {
      findings.expect(
        "task.childBit", bit: abi.task.childBit, in: child + flags, notIn: parent + flags)
    }
    findings.expect(
      "task.groupChildBit", bit: abi.task.groupChildBit, in: second + flags, notIn: first + flags)
    // A child has more fields than other tasks. Its result follows them.
    let behind = first + abi.task.size + abi.task.childSize
    let type = metadata(of: Seed.self)
    findings.expect("task.childSize", Peek.word(first + abi.task.size) == parent)
    findings.expect("task.childSize", Peek.word(behind + abi.task.resultType) == type)
    let further = second + abi.task.size + abi.task.childSize + abi.task.groupChildSize
    findings.expect("task.groupChildSize", Peek.word(further + abi.task.resultType) == type)
  }

  private func compareLocal(_ findings: inout ProbeFindings) {
    let task = address(of: withLocal)
    let slab = Peek.word(task + abi.task.firstSlab) ?? 0
    // The task has those of its creator, too; each begins with the address of the next.
    let chain = sequence(first: Peek.word(task + abi.task.firstLocal) ?? 0) { Peek.word($0) }
    let locals = chain.prefix(64).prefix { $0 != 0 && $0 & 7 == 0 }
    // In the task's own block, in the first slab of its memory, or in a block of its own.
    let stretches =
      [
        (task, Peek.room(of: task) ?? 0),
        (slab, abi.slab.header + UInt(Peek.uint32(slab + abi.slab.used) ?? 0)),
      ] + (slab == 0 ? locals.map { ($0, 32) } : [])
    let places = stretches.flatMap { start, length in
      Peek.words(from: start, bytes: length).enumerated()
        .filter { $0.element == address(of: local) }.map { start + UInt($0.offset) * 8 }
    }
    let type = metadata(of: Local?.self)
    findings.expect(
      "task.localValue", places.contains { Peek.word($0 &- abi.task.localValue) == type })
    findings.expect("task.firstLocal", places.contains { locals.contains($0 &- 24) })
    let variable = address(of: Locals.$planted)
    findings.expect(
      "task.localKey", places.contains { Peek.word($0 &- abi.task.localKey) == variable })
    let name = TypeName.qualified(Swift.type(of: Locals.$planted))
    findings.expect("task.localType", name.hasPrefix(abi.task.localType))
  }

  var references: [PlantedReference] {
    [
      PlantedReference(
        probe: .taskResults, holder: address(of: returned), target: result.address, kind: .result,
        isOnly: false)
    ]
  }
}
