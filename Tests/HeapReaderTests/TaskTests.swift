import CMemlabRecorder
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import MemlabRuntimeABI
import Testing

extension HeapWitness {
  @Suite("Tasks as roots") struct TaskTests {
    @Test("a forwarder that captures self is the root of its owner") func strongSelf() throws {
      var repo: Repo? = nil
      let snapshot = try recorded {
        let new = Repo()
        _ = UseCase(repo: new).changes
        repo = new
        return try HeapReaderTests.snapshot(withSuspended: ["forwarder"])
      }
      let path = try #require(snapshot.retainChains(to: [name(UseCase.self)]).first)
      #expect(path.root.kind == .task)
      #expect(path.root.node.name == "forwarder")
      #expect(path.links.last?.target.name == name(UseCase.self))
      #expect(snapshot.cycles(of: UseCase.self).isEmpty)
      #expect(snapshot.retainChains(to: [name(Repo.self)]).first?.root.kind == .task)
      repo?.continuation?.finish()
    }

    @Test("a weak capture is no help when run() never returns") func weakSelfThenRun() throws {
      weak var runner: Runner?
      let snapshot = try recorded {
        let new = Runner()
        runner = new
        Task(name: "runner") { [weak new] in await new?.run() }
        return try new.snapshot(ofTask: "runner")
      }
      let path = try #require(snapshot.retainChains(to: [name(Runner.self)]).first)
      #expect(path.root.kind == .task)
      #expect(path.root.node.name == "runner")
      #expect(path.links.last?.kind == .frame)
      runner?.continuation?.resume()
      try wait { runner == nil }
    }

    // Such as a stealer is, where priorities are escalated: https://github.com/swiftlang/swift/pull/86082
    @Test("a second job for a task is no task, and does not hold it") func secondJob() throws {
      typealias Create = @convention(c) (Int, UInt) -> UInt
      let name = "swift_task_createNullaryContinuationJob"
      let create = try #require(CFunction.named(name, as: Create.self))
      let (snapshot, runner, job) = try recorded {
        let runner = Runner()
        let task = Task(name: "runner") { await runner.run() }
        let job = create(0x15, unsafeBitCast(task, to: UInt.self))
        return (try runner.snapshot(ofTask: "runner"), runner, job)
      }
      #expect(snapshot.survey.block(at: job) != nil)
      #expect(!snapshot.tasks.contains { $0.address == job })
      #expect(snapshot.retainChain(to: runner)?.root.kind == .task)
      runner.continuation?.resume()
    }

    // The task holds a leaf in its frame, and has left the leaf's address in memory.
    private func heap(
      withTask name: String, running runner: Runner, leavingAt memory: UInt
    ) throws -> HeapSnapshot {
      Task(name: name) {
        let leaf = Leaf()
        leave(leaf, at: memory)
        await runner.run()
        withExtendedLifetime(leaf) {}
      }
      return try runner.snapshot(ofTask: name)
    }

    // The runtime's own tables are such memory, and may hold what anything was called once.
    @Test("a leftover in memory that nobody refers to does not hide the frame that holds")
    func unheldLeftover() throws {
      let runner = Runner()
      let snapshot = try recorded {
        // Its complement is no reference to it.
        let memory = ~UInt(bitPattern: UnsafeMutablePointer<UInt>.allocate(capacity: 8))
        defer { UnsafeMutablePointer<UInt>(bitPattern: ~memory)?.deallocate() }
        return try heap(withTask: "forgotten", running: runner, leavingAt: memory)
      }
      try expectLeaf(inFrameOf: "forgotten", in: snapshot, then: runner)
    }

    // Then lets the task end.
    private func expectLeaf(
      inFrameOf task: String, in snapshot: HeapSnapshot, then runner: Runner
    ) throws {
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect((path.referencesFound, path.retainCount) == (1, 1))
      #expect(path.root.node.name == task)
      #expect(path.links.last?.kind == .frame)
      runner.continuation?.resume()
    }

    // libdispatch keeps such lists, a thread's own, of calls that it has made.
    @Test(
      "a leftover in memory that only such memory refers to does not hide the frame that holds",
      arguments: [true, false])
    func list(isRing: Bool) throws {
      let runner = Runner()
      let snapshot = try recorded {
        // Their complements are no references to them.
        let list = unheldList(isRing: isRing)
        defer { for place in list { UnsafeMutablePointer<UInt>(bitPattern: ~place)?.deallocate() } }
        return try heap(withTask: "listed", running: runner, leavingAt: list[2] - 8)
      }
      try expectLeaf(inFrameOf: "listed", in: snapshot, then: runner)
    }

    // SwiftNIO has the addresses of what it has written among the bytes of such a buffer.
    @Test("a leftover among a buffer's bytes does not hide the frame that holds")
    func leftoverAmongBytes() throws {
      defer { globalHolder = nil }
      let runner = Runner()
      let snapshot = try recorded {
        let bytes = Bytes.create(minimumCapacity: 128) { _ in 0 }
        globalHolder = Holder()
        globalHolder?.any = bytes
        let memory = ~bytes.withUnsafeMutablePointerToElements { UInt(bitPattern: $0) }
        return try heap(withTask: "writer", running: runner, leavingAt: memory)
      }
      try expectLeaf(inFrameOf: "writer", in: snapshot, then: runner)
    }

    // Swift Testing has such locks, of which the last 8 of 72 bytes are nobody's; a key path asks for 48 bytes
    // and gets 56.
    @Test("what stands behind a buffer's last element or a key path's parts is no reference")
    func slack() throws {
      defer { globalHolder = nil }
      var address: UInt = 0
      let snapshot = try recorded {
        address = ~UInt(bitPattern: Unmanaged.passRetained(Leaf()).toOpaque())
        let lock = Lock.create(minimumCapacity: 1) { _ in 0 }
        let keyPath: AnyKeyPath = \Holder.direct
        globalHolder = Holder()
        globalHolder?.any = [lock, keyPath]
        let end = lock.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0 + 1) }
        let object = Unmanaged.passUnretained(keyPath).toOpaque()
        let block = heap_block(address: UInt(bitPattern: object), packed: 0)
        let room = Int(memlab_heap_block_room(block))
        for place in [end, object + room - 8] { place.storeBytes(of: ~address, as: UInt.self) }
        return try HeapSnapshot.take()
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.root.kind != .global, "\(path)")
      let leaf = try #require(UnsafeRawPointer(bitPattern: ~address))
      Unmanaged<Leaf>.fromOpaque(leaf).release()
    }

    @Test("a leftover in memory does not hide the task-local value that holds")
    func taskLocal() throws {
      let runner = Runner()
      let snapshot = try recorded {
        let outer = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
        let inner = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
        defer {
          outer.deallocate()
          inner.deallocate()
          globalNumber = 0
        }
        // Somebody refers to the memory with the leftover.
        outer[0] = UInt(bitPattern: inner)
        globalNumber = UInt(bitPattern: outer)
        Local.$leaf.withValue(Leaf()) {
          if let leaf = Local.leaf { leave(leaf, at: ~UInt(bitPattern: inner)) }
          _ = Task(name: "with a local value") { await runner.run() }
        }
        return try runner.snapshot(ofTask: "with a local value")
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect((path.referencesFound, path.retainCount) == (1, 1))
      #expect(path.root.node.name == "with a local value")
      runner.continuation?.resume()
    }

    @Test("a finished task is listed as finished and holds its result") func finishedTask() throws {
      HeapRecording.start()
      defer { HeapRecording.stop() }
      let task = Task<Leaf, Never>(name: "short") { Leaf() }
      try wait { try HeapSnapshot.take().tasks.contains { $0.isFinished } }
      let path = try #require(try HeapSnapshot.take().retainChains(to: [name(Leaf.self)]).first)
      #expect(path.links.last?.kind == .result)
      #expect(path.root.kind != .task)
      withExtendedLifetime(task) {}
    }

    @Test("cancelling is seen") func cancelledTask() throws {
      let snapshot = try recorded {
        let runner = Runner()
        let task = Task(name: "cancelled") { await runner.run() }
        task.cancel()
        let snapshot = try runner.snapshot(ofTask: "cancelled")
        runner.continuation?.resume()
        return snapshot
      }
      #expect(snapshot.tasks(named: ["cancelled"]).map(\.isCancelled) == [true])
    }

    @Test("the children of async let are listed with their parent") func asyncLet() throws {
      let (first, second) = (Runner(), Runner())
      let snapshot = try recorded {
        Task(name: "parent") {
          async let one: Void = first.run()
          async let two: Void = second.run()
          _ = await (one, two)
        }
        try wait { first.continuation != nil && second.continuation != nil }
        return try HeapReaderTests.snapshot(withSuspended: ["parent"])
      }
      #expect(snapshot.tasks(named: ["parent"]).map(\.isFinished) == [false, false, false])
      first.continuation?.resume()
      second.continuation?.resume()
    }

    @Test("a group's children are roots of their own") func taskGroup() throws {
      let runners = [Runner(), Runner()]
      let snapshot = try recorded {
        Task(name: "parent") {
          await withDiscardingTaskGroup { group in
            for runner in runners { group.addTask(name: "child") { await runner.run() } }
          }
        }
        try wait { runners.allSatisfy { $0.continuation != nil } }
        return try HeapReaderTests.snapshot(withSuspended: ["parent", "child"])
      }
      let tasks = snapshot.tasks(named: ["parent", "child"])
      #expect(tasks.compactMap(\.name).sorted() == ["child", "child", "parent"])
      for runner in runners { runner.continuation?.resume() }
    }

    @Test("what a finished task has made is held by who keeps the task, however old that is")
    func finished() async throws {
      HeapRecording.start()
      defer { HeapRecording.stop() }
      globalTask = Task { Runner() }
      defer { globalTask = nil }
      let runner = try #require(await globalTask?.value)
      let finder = try HeapSnapshot.take().chainFinder(since: HeapMoment(), besides: [])
      #expect(finder(runner)?.root.node.name == "globalTask")
    }

    @Test("what a frame has released is not held by it") func deadSlot() throws {
      let runner = Runner()
      let snapshot = try recorded {
        globalHolder = Holder()
        globalHolder?.any = Leaf()
        Task(name: "careless") {
          let borrowed = globalHolder?.any
          globalHolder?.table["kept"] = borrowed as? Leaf
          globalHolder?.any = nil
          await runner.run()
        }
        return try runner.snapshot(ofTask: "careless")
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.referencesFound == path.retainCount)
      runner.continuation?.resume()
      globalHolder = nil
    }

    @Test("what a dead slot refers to is held by others alone") func borrowedSlot() throws {
      let runner = Runner()
      let snapshot = try recorded {
        globalHolder = Holder()
        globalHolder?.direct = Leaf()
        Task(name: "borrower") {
          if let borrowed = globalHolder?.direct { borrowed.value += 1 }
          await runner.run()
        }
        return try runner.snapshot(ofTask: "borrower")
      }
      let path = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(path.root.kind == .global)
      #expect(path.referencesFound == 1)
      runner.continuation?.resume()
      globalHolder = nil
    }

    // Freed blocks are used again in the opposite order, so that later frames lie below earlier ones.
    @Test("a task's frames come in the order of the calls, wherever they lie") func calls() throws {
      let runner = Runner()
      let frames = try recorded {
        let task = Task(name: "nested") {
          func nest(_ count: Int) async { count > 0 ? await nest(count - 1) : await runner.run() }
          for size in 2...64 { (0..<7).map { _ in malloc(size * 16) }.forEach(free) }
          await nest(6)
        }
        _ = try runner.snapshot(ofTask: "nested")
        return TaskReader(address: unsafeBitCast(task, to: UInt.self)).ownBlocks(ProcessMemory())
      }
      // Swift 6.2 has them in slabs.
      #expect(frames.count > 3 || RuntimeColumn.isBefore63)
      let calls = zip(frames.dropFirst(), frames).prefix(3)
      #expect(calls.allSatisfy { Region(proven: $0, count: 8).word(at: $0) == $1 })
      runner.continuation?.resume()
    }

    @Test("memory that begins as a task does need not be one") func leftover() throws {
      let symbol = try #require(dlsym(nil, "_swift_concurrency_debug_asyncTaskMetadata"))
      let metadata = symbol.load(as: UInt.self)
      let snapshot = try recorded {
        let block = try #require(calloc(1, 512))
        defer { free(block) }
        block.storeBytes(of: metadata, as: UInt.self)
        return try HeapSnapshot.take()
      }
      #expect(snapshot.tasks.allSatisfy { $0.id != 0 })
    }
  }
}

private enum Local { @TaskLocal static var leaf: Leaf? }

private final class Bytes: ManagedBuffer<Int, UInt8> {}
private final class Lock: ManagedBuffer<Int, (Int, Int, Int, Int, Int)> {}

// Three blocks of which each refers to the next, and the last to the first or to nothing; the complements
// of their addresses, which are no references to them.
private func unheldList(isRing: Bool) -> [UInt] {
  let list = (0..<3).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: 10) }
  for (place, next) in zip(list, list.dropFirst() + list.prefix(1)) {
    place.initialize(repeating: 0, count: 10)
    place[0] = isRing || place != list[2] ? UInt(bitPattern: next) : 0
  }
  return list.map { ~UInt(bitPattern: $0) }
}

private func leave(_ leaf: Leaf, at memory: UInt) {
  let address = UInt(bitPattern: Unmanaged.passUnretained(leaf).toOpaque())
  UnsafeMutablePointer<UInt>(bitPattern: ~memory)?.initialize(repeating: address, count: 8)
}

private nonisolated(unsafe) var globalTask: Task<Runner, Never>?
