import Glibc
import MemlabHeapModel
import Testing

@testable import MemlabHeapReader

@Suite("The backtrace of something that is no task") struct BacktraceSafetyTests {
  @Test("is nil for addresses that nothing is mapped at", arguments: [UInt(8), 0x1234, ~7])
  func unmapped(address: UInt) {
    #expect(UnsafeRawPointer(bitPattern: address).flatMap { AsyncBacktrace(ofTask: $0) } == nil)
  }

  @Test("is nil for a block of other content") func otherBlock() {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { block in
      block.initializeMemory(as: UInt8.self, repeating: 0x41)
      #expect(block.baseAddress.flatMap { AsyncBacktrace(ofTask: $0) } == nil)
    }
  }

  @Test("ends where a context leads back to itself") func cycle() throws {
    try withForgedTask { task, contexts in
      contexts[0] = UInt(bitPattern: contexts.baseAddress)
      #expect(AsyncBacktrace(ofTask: task, limit: .max)?.frames.isEmpty == true)
    }
  }

  @Test("ends where a context is not readable") func wildContext() throws {
    try withForgedTask { task, contexts in
      contexts[0] = 0x10
      #expect(AsyncBacktrace(ofTask: task) != nil)
    }
  }

  @Test("is nil where the function to resume is no code") func wildFunction() throws {
    try withForgedTask { task, contexts in
      task.storeBytes(of: UInt(bitPattern: contexts.baseAddress), toByteOffset: 56, as: UInt.self)
      #expect(AsyncBacktrace(ofTask: task) == nil)
    }
  }

  @Test("tells a task of the runtime's own, which has not begun, by what is before its context")
  func alarm() throws {
    try withForgedTask { start, contexts in
      start.storeBytes(of: contexts[1], toByteOffset: 120, as: UInt.self)
      let task = HeapTask(
        name: nil, id: 1, isFinished: false, isCancelled: false, isEnqueued: false,
        isRunning: false, address: UInt(bitPattern: start))
      for callers in 1...3 {
        contexts[4 * callers - 4] = UInt(bitPattern: contexts.baseAddress! + 4 * callers)
        contexts[4 * callers + 1] = contexts[1]
        #expect(task.isAlarm == (callers == 1), "\(callers)")
      }
    }
  }

  /// Lends memory that looks like a task with one context, both resuming at a C function.
  private func withForgedTask(
    _ body: (UnsafeMutableRawPointer, UnsafeMutableBufferPointer<UInt>) throws -> Void
  ) throws {
    let metadata = try #require(dlsym(nil, "_swift_concurrency_debug_asyncTaskMetadata"))
    let code = UInt(bitPattern: try #require(dlsym(nil, "getpid")))
    let words = UnsafeMutableBufferPointer<UInt>.allocate(capacity: 32)
    defer { words.deallocate() }
    words.initialize(repeating: 0)
    let context = UnsafeMutableBufferPointer(rebasing: words[16...])
    words[0] = metadata.load(as: UInt.self)
    words[7] = code
    words[8] = UInt(bitPattern: context.baseAddress)
    context[1] = code
    try body(UnsafeMutableRawPointer(try #require(words.baseAddress)), context)
  }
}

extension HeapWitness {
  @Suite("A task that lets others go first") struct YieldTests {
    @Test("is told from one that waits for somebody") func yields() async throws {
      let executor = PlantedExecutor()
      let (address, gate) = (Mailbox(), Gate())
      HeapRecording.start()
      defer { HeapRecording.stop() }
      let task = Task(name: "polite", executorPreference: executor) {
        address.noteCurrentTask()
        await Task.yield()
        await gate.wait()
      }
      executor.run(atMost: 1)
      let start = try #require(address.value)
      #expect(AsyncBacktrace(ofTask: start)?.suspendedIn == "Task.yield()")
      #expect(try isYielding(named: "polite"))
      executor.run()
      #expect(AsyncBacktrace(ofTask: start)?.suspendedIn != "Task.yield()")
      #expect(try !isYielding(named: "polite"))
      gate.open()
      executor.run()
      await task.value
    }

    private func isYielding(named name: String) throws -> Bool {
      let task = try HeapSnapshot.take().tasks(named: [name]).first
      return try #require(task).isYielding
    }
  }
}
