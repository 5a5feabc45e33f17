import CMemlabProcess
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
  private let gate = PlantedGate()
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
    let (gate, held, local, state) = (gate, held, local, stateWhileRunning)
    suspended = Task.detached(name: Self.name, executorPreference: executor, priority: .medium) {
      await Self.wait(at: gate, depth: Self.depth, local)
      withExtendedLifetime(held) {}
    }
    cancelled = Task.detached(executorPreference: executor, priority: .medium) { await gate.pass() }
    finished = Task.detached(executorPreference: executor, priority: .medium) {
      withUnsafeCurrentTask { task in
        guard let task else { return }
        let address = unsafeBitCast(task, to: UInt.self)
        state.word = Peek.uint32(address + abi.task.status).map { UInt($0) }
      }
    }
    // The highest priority that the runtime has a name for, of the main thread on Darwin.
    enqueued = Task.detached(
      executorPreference: executor, priority: TaskPriority(rawValue: 0x21)
    ) { await gate.pass() }
    stateWhileEnqueued = Peek.uint32(address(of: enqueued) + abi.task.status)
    cancelled.cancel()
    executor.run()
  }

  // Each call has a frame of its own; all together need more than one slab.
  @inline(never)
  private static func wait(at gate: PlantedGate, depth: Int, _ local: PlantedWord) async {
    if depth > 0 {
      await wait(at: gate, depth: depth - 1, local)
      return withExtendedLifetime(gate) {}
    }
    let seed = Seed()
    local.word = seed.address
    await gate.pass()
    withExtendedLifetime(seed) {}
  }

  /// Lets the waiting tasks end.
  func end() {
    gate.open()
    executor.run()
  }

  private var task: UInt { address(of: suspended) }

  func compare(_ findings: inout ProbeFindings) {
    compareFlags(&findings)
    compareNumber(&findings)
    compareStatus(&findings)
    compareRecords(&findings)
    compareFrames(&findings)
    compareSlabs(&findings)
  }

  private func compareFlags(_ findings: inout ProbeFindings) {
    let flags = Peek.uint32(task + abi.task.flags)
    let isKind = flags.map { $0 & abi.task.kindBits == 0 } ?? false
    let priority = flags.map { $0 >> abi.task.priorityBit & 0xff }
    findings.expect("task.flags", isKind && priority == 0x15)
    findings.expect("task.kindBits", isKind)
    findings.expect("task.priorityBit", priority == 0x15)
    let highest = Peek.uint32(address(of: enqueued) + abi.task.flags)
    findings.expect(
      "task.highestPriority",
      highest.map { $0 >> abi.task.priorityBit & 0xff == abi.task.highestPriority } ?? false)
  }

  // The runtime tells a task's number. The upper half of a task's is zero, so a copy of one gets one.
  private func compareNumber(_ findings: inout ProbeFindings) {
    typealias Number = @convention(c) (UInt) -> UInt64
    guard let number = CFunction.named("swift_task_getJobTaskId", as: Number.self) else { return }
    findings.expect(
      "task.lowID",
      Peek.uint32(task + abi.task.lowID) == UInt32(truncatingIfNeeded: number(task)))
    var copy = Peek.words(from: task, bytes: 208)
    let upper = copy.withUnsafeMutableBytes { bytes -> UInt64? in
      guard Int(abi.task.highID) + 4 <= bytes.count else { return nil }
      bytes.storeBytes(of: 0x5eed, toByteOffset: Int(abi.task.highID), as: UInt32.self)
      return number(UInt(bitPattern: bytes.baseAddress)) >> 32
    }
    findings.expect("task.highID", upper == 0x5eed)
  }

  private func compareStatus(_ findings: inout ProbeFindings) {
    func state(_ task: Task<Void, Never>) -> UInt32? {
      Peek.uint32(address(of: task) + abi.task.status)
    }
    func has(_ bit: UInt32, _ state: UInt32?) -> Bool? { state.map { $0 >> bit & 1 == 1 } }
    let waits = state(suspended)
    // Its lowest byte is the priority.
    findings.expect("task.status", waits.map { $0 & 0xff == 0x15 } ?? false)
    let running = stateWhileRunning.word.map { UInt32($0) }
    let rows: [(String, UInt32, UInt32?)] = [
      ("task.cancelledBit", abi.task.cancelledBit, state(cancelled)),
      ("task.runningBit", abi.task.runningBit, running),
      ("task.enqueuedBit", abi.task.enqueuedBit, stateWhileEnqueued),
      ("task.completeBit", abi.task.completeBit, state(finished)),
    ]
    for (row, bit, state) in rows {
      findings.expect(row, has(bit, state) == true && has(bit, waits) == false)
    }
  }

  private func compareRecords(_ findings: inout ProbeFindings) {
    var (record, kinds, text): (UInt?, [UInt], String?) = (
      Peek.word(task + abi.task.records), [], nil
    )
    while let place = record, place != 0, kinds.count < 8, let flags = Peek.word(place) {
      kinds.append(flags & abi.task.recordKindBits)
      if kinds.last == abi.task.nameRecord {
        text = Peek.text(Peek.word(place + abi.task.nameText))
      }
      record = Peek.word(place + abi.task.nextRecord)
    }
    // One of the name, one of the executor; then the list ends.
    let isWhole = record == 0 && kinds.count >= 2
    findings.expect(
      ["records", "nextRecord", "recordKindBits", "nameRecord", "nameText"].map { "task." + $0 },
      isWhole && text == Self.name)
  }

  /// Where the frames of the suspended task are, innermost first.
  private var frames: [UInt] {
    var (frames, context): ([UInt], UInt?) = ([], Peek.word(task + abi.task.resumeContext))
    while let place = context, place != 0, place & 7 == 0, frames.count < 64,
      Peek.isCode(Peek.word(place + abi.async.resume))
    {
      frames.append(place)
      context = Peek.word(place + abi.async.parent)
    }
    return frames
  }

  private func compareFrames(_ findings: inout ProbeFindings) {
    let frames = frames
    let code = Peek.word(task + abi.task.resume)
    // A task that waits for a continuation goes on in the function that its innermost frame names.
    let isInnermost = Peek.isCode(code) && Peek.word(frames.first + abi.async.resume) == code
    findings.expect(["task.resume", "task.resumeContext", "async.resume"], isInnermost)
    findings.expect("async.parent", frames.count > Self.depth)
  }

  private func compareSlabs(_ findings: inout ProbeFindings) {
    let metadata = CFunction.address("_swift_concurrency_debug_asyncTaskSlabMetadata").flatMap {
      Peek.word($0)
    }
    var (slabs, slab): ([UInt], UInt?) = ([], Peek.word(task + abi.task.firstSlab))
    // Where each frame is a block of its own, there is none.
    findings.frames = slab == 0 ? .blocks : .slabs
    guard slab != 0 else { return }
    findings.expect("task.firstSlab", Peek.word(slab) == metadata)
    while let place = slab, place != 0, Peek.word(place) == metadata, slabs.count < 64 {
      slabs.append(place)
      slab = Peek.word(place + abi.slab.next)
    }
    findings.expect("slab.next", slab == 0 && slabs.count >= 2)
    let frames = frames
    // All but the first are blocks of their own: a header and a capacity, and what they are rounded to.
    // glibc leaves a block what it cannot split off: less than its smallest block, of 32 bytes.
    findings.expect(
      "slab.header",
      slabs.dropFirst().allSatisfy { slab in
        let size = UInt(Peek.uint32(slab + 16) ?? 0) &+ abi.slab.header
        return size % 8 == 0 && (Peek.room(of: slab) ?? 0) &- size < 48
      })
    findings.expect(
      "slab.used",
      slabs.allSatisfy { slab in
        let room = UInt(Peek.uint32(slab + 16) ?? 0)
        let used = UInt(Peek.uint32(slab + abi.slab.used) ?? 1)
        let inside = frames.filter { $0 > slab && $0 < slab + 32 + room }
        return used % 16 == 0 && used <= room
          && inside.allSatisfy { $0 &+ 16 <= slab &+ 32 &+ used }
      })
  }

  var references: [PlantedReference] {
    [PlantedReference(probe: .frames, holder: task, target: local.word ?? 0, kind: .frame)]
  }

  func read(_ reading: PlantedReading, _ findings: inout ProbeFindings) {
    if !reading.task(Self.name, isRootOf: held.address) { findings.noteMisread(.taskNames) }
  }
}

/// What the concurrency library exports for debuggers, beside a task.
struct ExportPlanting: Planting {
  private let task = Task.detached(executorPreference: PlantedExecutor.shared) {}

  /// Runs the task that it plants, to its end.
  init() { PlantedExecutor.shared.run() }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.symbols
    let taskMetadata = exported(rows.taskMetadata)
    let known = Peek.word(address(of: task))
    findings.expect("symbols.taskMetadata", Peek.word(taskMetadata) == known)
    findings.expect("symbols.debugPrefix", taskMetadata != nil)
    findings.expect("symbols.slabMetadata", Peek.isInImage(Peek.word(exported(rows.slabMetadata))))
    let version = Peek.uint32(exported(rows.layoutVersion))
    findings.expect("symbols.layoutVersion", version != nil)
    findings.expect("task.version", version == abi.task.version)
    let size = Peek.word(exported(rows.taskSize))
    findings.expect("symbols.taskSize", size != nil)
    findings.expect("task.size", size == abi.task.size)
  }

  private func exported(_ name: String) -> UInt? {
    loaded_symbol(abi.symbols.debugPrefix + name).map { UInt(bitPattern: $0) }
  }
}

/// The job of a task, and the executor that means the runtime's own thread pool.
struct JobPlanting: Planting {
  private let executor = PlantedExecutor()
  private let task: Task<Void, Never>
  private let jobs: [UInt]
  private let identity = PlantedIdentity()

  /// Plants a task that is enqueued and does not run.
  init() {
    task = Task.detached(executorPreference: executor) {}
    jobs = executor.waiting
    executor.run()
    // A thread of no task and no actor's runs on the generic executor.
    let identity = identity
    SystemThread { identity.note() }?.join()
  }

  func compare(_ findings: inout ProbeFindings) {
    let start = address(of: task)
    findings.expect("jobs.offset", jobs == [start &+ abi.jobs.offset])
    guard let word = identity.word else { return }
    findings.expect("jobs.genericExecutor", word == abi.jobs.genericExecutor)
  }
}
