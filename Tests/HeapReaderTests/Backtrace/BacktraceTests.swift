import FoundationEssentials
import MemlabHeapModel
import MemlabHeapReader
import TestSupport
import Testing

@Suite("The async backtrace of a suspended task") struct BacktraceTests {
  @Test(
    "names the closure that forwards a stream, with the line of its for-await", .needsLibraryNames)
  func strongSelf() async throws {
    let repo = StrongSelf.Repo()
    let useCase = StrongSelf.DataCacheUseCaseImpl(repo)
    let consumer = Task { for try await _ in useCase.didChangeDataCache {} }
    let trace = await waitForStream(useCase.forwarder)
    #expect(trace?.suspendedIn == "AsyncThrowingStream.Iterator.next()")
    let frame = try #require(trace?.frames.first)
    #expect(trace?.frames.count == 1)
    #expect(frame.function == "closure #1 in closure #1 in didChangeDataCache")
    #expect(frame.fullName.hasPrefix("closure #1 () async throws -> () in closure #1 ("))
    #expect(frame.fullName.contains("StrongSelf.DataCacheUseCaseImpl.didChangeDataCache.getter"))
    #expect(frame.file == "BacktraceFixtures.swift")
    #expect(frame.line == StrongSelf.DataCacheUseCaseImpl.forwardingLine)
    #expect(frame.declaration?.file == frame.file)
    #expect(frame.declaration?.line == StrongSelf.DataCacheUseCaseImpl.taskLine)
    #expect(!frame.isLibrary)
    repo.finish()
    consumer.cancel()
  }

  private func waitForStream(_ task: Mailbox) async -> AsyncBacktrace? {
    for _ in 0..<200_000 {
      if let trace = task.value.flatMap({ AsyncBacktrace(ofTask: $0) }), trace.suspendedIn != nil {
        return trace
      }
      await Task.yield()
    }
    return nil
  }

  @Test("goes through every async caller, innermost first") func callers() async {
    let gate = Gate()
    let parked = ParkedTask { try await Outer(gate: gate).run() }
    let trace = await parked.backtrace(suspendedIn: "withCheckedContinuation", "a continuation")
    let functions = trace?.frames.map(\.function) ?? []
    #expect(functions.prefix(4) == ["wait()", "inner()", "helper() in run()", "run()"])
    #expect(trace?.frames.dropFirst().first?.line == Outer.innerLine)
    gate.open()
  }

  @Test("leaves out the modules that the caller hides") func hidden() async {
    let gate = Gate()
    let parked = ParkedTask { await gate.wait() }
    let places = ["withCheckedContinuation", "a continuation"]
    let trace = await parked.backtrace(
      suspendedIn: places[0], places[1], hiding: ["HeapReaderTests"])
    #expect(places.contains(trace?.suspendedIn ?? ""))
    #expect(trace?.frames.isEmpty == true)
    gate.open()
  }

  @Test("marks the library's functions between two of the user's", .needsLibraryNames)
  func libraryBetween() async {
    let gate = Gate()
    let parked = ParkedTask {
      await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        gate.open()
      }
    }
    let trace = await parked.backtrace(suspendedIn: "withCheckedContinuation", "a continuation")
    let library = trace?.frames.filter(\.isLibrary).map(\.function)
    #expect(library == ["withTaskCancellationHandler()"])
    #expect(trace?.frames.last?.isLibrary == false)
    parked.task.cancel()
  }

  @Test("can be stored and read back") func value() async throws {
    let gate = Gate()
    let parked = ParkedTask { await gate.wait() }
    let trace = await parked.backtrace(suspendedIn: "withCheckedContinuation", "a continuation")
    let data = try JSONEncoder().encode(try #require(trace))
    let stored = try JSONDecoder().decode(AsyncBacktrace.self, from: data)
    #expect(stored.frames.map(\.fullName) == trace?.frames.map(\.fullName))
    #expect(stored.frames.map(\.line) == trace?.frames.map(\.line))
    #expect(stored.frames.first?.declaration == nil)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(/"frames":\[{/) && !text.contains("address"), "\(text)")
    gate.open()
  }
}

private struct Outer {
  let gate: Gate

  @inline(never) func run() async throws {
    @inline(never) func helper() async throws { try await Self.inner(gate) }
    try await helper()
    gate.open()
  }

  static let innerLine = #line + 3
  @inline(never) private static func inner(_ gate: Gate) async throws {
    await gate.wait()
    try Task.checkCancellation()
  }
}
