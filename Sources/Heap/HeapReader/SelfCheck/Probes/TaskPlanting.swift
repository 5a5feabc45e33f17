import MemlabHeapModel
import MemlabPlatform
import MemlabRuntimeABI

/// A task in each of its states, and what a suspended one keeps in its memory.
struct TaskPlanting: Planting {
  /// The suspended task's name.
  static let name = "memlab planted"
  /// How many functions wait for one another in the suspended task.
  private static let depth = 24

  private let executor = PlantedExecutor()
  private let held = Seed()
  private let local = PlantedWord()
  private let suspended: Task<Void, Never>
  private let cancelled: Task<Void, Never>
  private let enqueued: Task<Void, Never>
  private let finished: Task<Void, Never>
  private let stateWhileRunning = PlantedWord()
  private let stateWhileEnqueued: UInt32?

  /// Plants tasks that are suspended, cancelled, enqueued and finished.
  init() {
    let (executor, held, local, state) = (executor, held, local, stateWhileRunning)
    suspended = Task.detached(name: Self.name, executorPreference: executor, priority: .medium) {
      await Self.wait(on: executor, depth: Self.depth, local)
      withExtendedLifetime(held) {}
    }
    cancelled = Task.detached(executorPreference: executor, priority: .medium) {
      await executor.waitForEnd()
    }
    finished = Task.detached(executorPreference: executor, priority: .medium) {
      guard let address = HeapTask.addressOfCurrent else { return }
      state.word = Place(address)[abi.task.status].uint32.map { UInt($0) }
    }
    // The highest priority that the runtime has a name for, of the main thread on Darwin.
    enqueued = Task.detached(
      executorPreference: executor, priority: TaskPriority(rawValue: 0x21)
    ) { await executor.waitForEnd() }
    stateWhileEnqueued = Place(address(of: enqueued))[abi.task.status].uint32
    cancelled.cancel()
    executor.run()
  }

  // Each call has a frame of its own; all together need more than one slab.
  @inline(never)
  private static func wait(on executor: PlantedExecutor, depth: Int, _ local: PlantedWord) async {
    if depth > 0 {
      await wait(on: executor, depth: depth - 1, local)
      return withExtendedLifetime(executor) {}
    }
    let seed = Seed()
    local.word = seed.address
    await executor.waitForEnd()
    withExtendedLifetime(seed) {}
  }

  /// Lets the waiting tasks end.
  func end() { executor.end() }

  private var task: Place { Place(address(of: suspended)) }

  func compare(_ findings: inout ProbeFindings) {
    compareFlags(&findings)
    compareNumber(&findings)
    compareStatus(&findings)
    compareRecords(&findings)
    let frames = frames
    let code = task[abi.task.resume].target
    // A task that waits for a continuation goes on in the function that its innermost frame names.
    let isInnermost = code.isCode && frames.first?[abi.async.resume].word == code.address
    findings.expect(["task.resume", "task.resumeContext", "async.resume"], isInnermost)
    findings.expect("async.parent", frames.count > Self.depth)
    compareSlabs(frames, &findings)
  }

  private func compareFlags(_ findings: inout ProbeFindings) {
    func priority(_ flags: UInt32) -> UInt32 { flags >> abi.task.priorityBit & 0xff }
    let flags = task[abi.task.flags].uint32 ?? .max
    let isKind = flags & abi.task.kindBits == 0
    findings.expect("task.flags", isKind && priority(flags) == 0x15)
    findings.expect("task.kindBits", isKind)
    findings.expect("task.priorityBit", priority(flags) == 0x15)
    let highest = Place(address(of: enqueued))[abi.task.flags].uint32.map(priority)
    findings.expect("task.highestPriority", highest == abi.task.highestPriority)
  }

  // The runtime tells a task's number. The upper half of a task's is zero, so a copy of one gets one.
  private func compareNumber(_ findings: inout ProbeFindings) {
    typealias Number = @convention(c) (UInt) -> UInt64
    guard let number = CFunction.named("swift_task_getJobTaskId", as: Number.self) else { return }
    let low = UInt32(truncatingIfNeeded: number(address(of: suspended)))
    findings.expect("task.lowID", task[abi.task.lowID].uint32 == low)
    var copy = task.words(bytes: 208)
    let upper = copy.withUnsafeMutableBytes { bytes -> UInt64? in
      guard Int(abi.task.highID) + 4 <= bytes.count else { return nil }
      bytes.storeBytes(of: 0x5eed, toByteOffset: Int(abi.task.highID), as: UInt32.self)
      return number(UInt(bitPattern: bytes.baseAddress)) >> 32
    }
    findings.expect("task.highID", upper == 0x5eed)
  }

  private func compareStatus(_ findings: inout ProbeFindings) {
    func state(_ task: Task<Void, Never>) -> UInt32? {
      Place(address(of: task))[abi.task.status].uint32
    }
    let waits = state(suspended)
    // Its lowest byte is the priority.
    findings.expect("task.status", waits.map { $0 & 0xff } == 0x15)
    let rows: [(String, UInt32, UInt32?)] = [
      ("task.cancelledBit", abi.task.cancelledBit, state(cancelled)),
      ("task.runningBit", abi.task.runningBit, stateWhileRunning.word.map { UInt32($0) }),
      ("task.enqueuedBit", abi.task.enqueuedBit, stateWhileEnqueued),
      ("task.completeBit", abi.task.completeBit, state(finished)),
    ]
    for (row, bit, state) in rows {
      let isSet = [state, waits].map { state in state.map { $0 >> bit & 1 == 1 } }
      findings.expect(row, isSet == [true, false])
    }
  }

  private func compareRecords(_ findings: inout ProbeFindings) {
    var (record, kinds, text): (Place, [UInt], String?) = (task[abi.task.records].target, [], nil)
    while record.address != 0, kinds.count < 8, let flags = record.word {
      kinds.append(flags & abi.task.recordKindBits)
      if kinds.last == abi.task.nameRecord { text = record[abi.task.nameText].target.text }
      record = record[abi.task.nextRecord].target
    }
    // One of the name, one of the executor; then the list ends.
    let isWhole = record.address == 0 && kinds.count >= 2
    findings.expect(
      ["records", "nextRecord", "recordKindBits", "nameRecord", "nameText"].map { "task." + $0 },
      isWhole && text == Self.name)
  }

  /// Where the frames of the suspended task are, innermost first.
  private var frames: [Place] {
    var (frames, context) = ([Place](), task[abi.task.resumeContext].target)
    while let address = context.address, address != 0, address & 7 == 0, frames.count < 64,
      context[abi.async.resume].target.isCode
    {
      frames.append(context)
      context = context[abi.async.parent].target
    }
    return frames
  }

  private func compareSlabs(_ frames: [Place], _ findings: inout ProbeFindings) {
    let symbol = CFunction.address(abi.symbols.debugPrefix + abi.symbols.slabMetadata)
    let metadata = Place(symbol).word
    var (slabs, slab) = ([Place](), task[abi.task.firstSlab].target)
    // Where each frame is a block of its own, there is none.
    findings.frames = slab.address == 0 ? .blocks : .slabs
    guard slab.address != 0 else { return }
    findings.expect("symbols.slabMetadata", Place(metadata).isInImage)
    findings.expect("task.firstSlab", slab.word == metadata)
    while let address = slab.address, address != 0, slab.word == metadata, slabs.count < 64 {
      slabs.append(slab)
      slab = slab[abi.slab.next].target
    }
    findings.expect("slab.next", slab.address == 0 && slabs.count >= 2)
    // All but the first are blocks of their own: a header and a capacity, and what they are rounded to.
    // glibc leaves a block what it cannot split off: less than its smallest block, of 32 bytes.
    findings.expect(
      "slab.header",
      slabs.dropFirst().allSatisfy { slab in
        let size = UInt(slab[16].uint32 ?? 0) &+ abi.slab.header
        return size % 8 == 0 && (slab.room ?? 0) &- size < 48
      })
    let starts = frames.compactMap(\.address)
    findings.expect(
      "slab.used",
      slabs.allSatisfy { slab in
        let room = UInt(slab[16].uint32 ?? 0)
        let used = UInt(slab[abi.slab.used].uint32 ?? 1)
        guard let start = slab[32].address, used % 16 == 0, used <= room else { return false }
        let inside = starts.filter { $0 > start &- 32 && $0 < start &+ room }
        return inside.allSatisfy { $0 &+ 16 <= start &+ used }
      })
  }

  var references: [PlantedReference] {
    [.init(.frames, .frame, in: address(of: suspended), local.word, isOnly: true)]
  }

  // The task is the root of what it holds, under its name.
  func read(_ survey: Survey, _ findings: inout ProbeFindings) {
    let builder = ChainBuilder(survey: survey, namesFunctions: false)
    let root = survey.block(at: held.address).map { builder.chain(to: $0).root }
    if root?.kind != .task || root?.node.name != Self.name { findings.noteMisread(.taskNames) }
  }
}

/// What the concurrency library exports for debuggers, beside a task.
struct ExportPlanting: Planting {
  private let task = Task.detached(executorPreference: PlantedExecutor.shared) {}

  /// Runs the task that it plants, to its end.
  init() { PlantedExecutor.shared.run() }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.symbols
    func exported(_ name: String) -> Place { Place(CFunction.address(rows.debugPrefix + name)) }
    let taskMetadata = exported(rows.taskMetadata)
    findings.expect("symbols.taskMetadata", taskMetadata.word == Place(address(of: task)).word)
    findings.expect("symbols.debugPrefix", taskMetadata.address != nil)
    let (version, size) = (exported(rows.layoutVersion).uint32, exported(rows.taskSize).word)
    findings.expect("symbols.layoutVersion", version != nil)
    findings.expect("symbols.taskSize", size != nil)
    if let version { findings.expect("task.version", version == abi.task.version) }
    if let size { findings.expect("task.size", size == abi.task.size) }
    let stealers = exported(abi.jobs.stealersSymbol).byte.map { UInt32($0) }
    findings.expect("jobs.stealersSymbol", stealers != nil)
    findings.expect("jobs.stealers", stealers == abi.jobs.stealers)
  }
}

/// Tasks that the runtime lists itself, where it does.
struct RegistryPlanting: Planting {
  private let executor = PlantedExecutor()
  private let tasks: [Task<Void, Never>]

  /// Plants tasks that wait, for every list one: each is the first of its list then, unless other threads
  /// make tasks, too.
  init() {
    tasks = (0..<64).map { [executor] _ in
      Task.detached(executorPreference: executor) { await executor.waitForEnd() }
    }
    executor.run()
  }

  /// Lets the waiting tasks end.
  func end() { executor.end() }

  func compare(_ findings: inout ProbeFindings) {
    let planted = tasks.map { TaskReader(address: address(of: $0)) }
    let firsts = planted.count { task in
      let number = UInt(task.described(nil).id)
      let list = (number ^ number >> 8) & (abi.registry.count - 1)
      return Place(abi.registry.memory.lowerBound &+ list * abi.registry.stride).word
        == task.address
    }
    findings.expect(["registry.lists", "registry.count", "registry.stride"], firsts > 48)
    let listing = TaskListing()
    findings.expect(
      "registry.walk", planted.allSatisfy { listing.tasks.contains($0.address) } && listing.isSound)
    findings.expect("registry.size", (listing.size ?? 0) >= tasks.count)
  }

  func read(_ survey: Survey, _ findings: inout ProbeFindings) {
    if let fault = survey.listingFault { findings.noteMisread(.registry, fault) }
  }
}

/// The storages of streams.
struct StreamPlanting: Planting {
  private let plain = AsyncStream<Int>.makeStream()
  private let throwing = AsyncThrowingStream<Int, any Error>.makeStream()

  // A stream's continuation is its storage.
  func compare(_ findings: inout ProbeFindings) {
    func storage(_ continuation: some Any) -> String {
      guard MemoryLayout.size(ofValue: continuation) == 8 else { return "" }
      let object = withUnsafeBytes(of: continuation) { $0.load(as: AnyObject.self) }
      return TypeName.qualified(type(of: object))
    }
    let names = [storage(plain.continuation), storage(throwing.continuation)]
    findings.expect("streams.storage", names.allSatisfy(abi.streams.isStorage))
  }
}

/// The job of a task, and the executor that means the runtime's own thread pool.
struct JobPlanting: Planting {
  private let executor = PlantedExecutor()
  private let task: Task<Void, Never>
  private let jobs: [UInt]
  private let identity = PlantedWord()

  /// Plants a task that is enqueued and does not run.
  init() {
    task = Task.detached(executorPreference: executor) {}
    jobs = executor.waiting
    executor.run()
    // A thread of no task and no actor's runs on the generic executor.
    let identity = identity
    typealias Current = @convention(c) () -> UInt
    guard let current = CFunction.named("swift_task_getCurrentExecutor", as: Current.self) else {
      return
    }
    SystemThread { identity.word = current() }?.join()
  }

  func compare(_ findings: inout ProbeFindings) {
    findings.expect("jobs.offset", jobs == [address(of: task) &+ abi.jobs.offset])
    guard let word = identity.word else { return }
    findings.expect("jobs.genericExecutor", word == abi.jobs.genericExecutor)
  }
}
