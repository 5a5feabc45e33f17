import FoundationEssentials
import Glibc
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
    #expect(frame.location?.file == "BacktraceFixtures.swift")
    #expect(frame.location?.line == StrongSelf.DataCacheUseCaseImpl.forwardingLine)
    #expect(frame.declaration?.file == frame.location?.file)
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
    #expect(trace?.frames.dropFirst().first?.location?.line == Outer.innerLine)
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
    #expect(trace?.frames.filter(\.isLibrary).map(\.function) == ["withTaskCancellationHandler()"])
    #expect(trace?.frames.last?.isLibrary == false)
    parked.task.cancel()
  }
}

private struct Outer {
  let gate: Gate

  @inline(never) func run() async throws {
    @inline(never) func helper() async throws { try await Self.inner(gate) }
    try await helper()
    gate.open()
  }

  static let innerLine = #line + 2
  @inline(never) private static func inner(_ gate: Gate) async throws {
    await gate.wait()
    try Task.checkCancellation()
  }
}

@Suite("The backtrace of a task that moves on") struct BacktraceRunningTests {
  @Test("is read ten thousand times while the task runs, without a fault or a lost descriptor")
  func running() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let parked = ParkedTask { for await _ in stream {} }
    let place = StrippedLibraries.stream("AsyncStream.Iterator.next()")
    let before = await parked.backtrace(suspendedIn: place)
    let descriptors = openDescriptors()
    var seen = 0
    for round in 0..<10_000 {
      continuation.yield(round)
      if parked.backtraceNow != nil { seen += 1 }
    }
    #expect(before?.suspendedIn == place)
    #expect(seen == 10_000)
    // Other tests run programs meanwhile. A reading that loses a descriptor loses ten thousand.
    #expect(openDescriptors() <= descriptors + 1000)
    continuation.finish()
  }

  private func openDescriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }
}

@Suite("What a task is said to be suspended in") struct BacktracePlacesTests {
  @Test("a sleep", .needsLibraryNames) func sleep() async {
    await expect("Task.sleep") { try await Task.sleep(for: .seconds(1000)) }
    await expect("Task.sleep") { try await Task.sleep(nanoseconds: 1_000_000_000_000) }
  }

  @Test("a stream, throwing or not", .needsLibraryNames) func streams() async {
    await expect("AsyncStream.Iterator.next()") {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      for await _ in stream { continuation.finish() }
    }
    await expect("AsyncThrowingStream.Iterator.next()") {
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      for try await _ in stream { continuation.finish() }
    }
  }

  @Test("another task's value", .needsLibraryNames) func value() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    await expect("Task.value") { await Task { for await _ in stream {} }.value }
    continuation.finish()
  }

  @Test("a task group", .needsLibraryNames) func group() async {
    await expect("withTaskGroup") {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await Task.sleep(for: .seconds(1000)) }
      }
    }
  }

  @Test("an async let", .needsLibraryNames) func asyncLet() async {
    await expect("async let") {
      async let nap: Void = Task.sleep(for: .seconds(1000))
      try await nap
    }
  }

  @Test("a bare continuation") func continuation() async {
    let gate = Gate()
    await expect("withCheckedContinuation", or: "a continuation") { await gate.wait() }
    gate.open()
  }

  @Test("whether a function is written in a package that was fetched") func dependency() async {
    let task = ParkedTask { await waitInDependency() }
    let frames = await task.backtrace(suspendedIn: "Task.sleep")?.frames ?? []
    #expect(frames.first?.isOfDependency == true, "\(frames)")
    #expect(frames.last?.isOfDependency == false, "\(frames)")
    task.task.cancel()
  }

  private func expect(
    _ place: String, or other: String? = nil, location: SourceLocation = #_sourceLocation,
    _ operation: @escaping @Sendable () async throws -> Void
  ) async {
    let parked = ParkedTask(operation)
    let trace = await parked.backtrace(suspendedIn: place, other ?? place)
    let found = trace?.suspendedIn ?? "nothing"
    #expect(found == place || found == other, "found \(found)", sourceLocation: location)
    #expect(trace?.frames.last?.function.hasPrefix("closure #") == true, sourceLocation: location)
    parked.task.cancel()
  }
}

#sourceLocation(file:"/home/user/app/.build/checkouts/feed/Sources/Feed/Feed.swift",line:7)
@inline(never) private func waitInDependency() async { try? await Task.sleep(for: .seconds(1000)) }
#sourceLocation()

private final class Registry: Sendable {
  static let shared = Registry()
  nonisolated(unsafe) static var entries: [Int] = [1]
}

nonisolated(unsafe) private var standalone: (first: Int, second: Int) = (1, 2)

@Suite("The symbolizer") struct BacktraceSymbolizerTests {
  @Test("names a static variable with its type") func staticVariable() throws {
    try withUnsafePointer(to: &Registry.entries) { pointer in
      let symbol = try #require(Symbolizer.shared.symbol(at: UInt(bitPattern: pointer)))
      #expect(symbol.name == "Registry.entries")
      #expect(symbol.module == "HeapReaderTests")
      #expect(symbol.isData)
      #expect(!symbol.isLibrary)
    }
  }

  @Test(
    "knows the runtime's C++ functions, and the program's with types of the runtime",
    arguments: [
      ("_ZN5swift9TaskGroup5offerEPNS_9AsyncTaskE", true),
      ("_ZNK5swift14TargetMetadataINS_9InProcessEE7getKindEv", true),
      ("_ZTVN5swift7JobTypeE", true), ("_ZN12_GLOBAL__N_115TaskQueueE_addN5swift3JobE", true),
      ("_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE", true),
      ("_Z4showN5swift6StringE", false), ("_ZN15swift_protocols4readEv", false),
      ("$s5swift4showyyF", false),
    ])
  func runtime(name: String, isOfRuntime: Bool) {
    #expect(LibraryCode.isOfRuntime(name) == isOfRuntime)
  }

  // With -O it is part of the program, which else allocates it.
  @Test("names a constant after its variable") func constant() {
    let address = UInt(bitPattern: Unmanaged.passUnretained(Registry.shared).toOpaque())
    let symbol = Symbolizer.shared.symbol(at: address)
    #if DEBUG
      #expect(symbol == nil)
    #else
      #expect(symbol?.name == "Registry.shared")
    #endif
  }

  @Test("names a global from an address inside it") func insideGlobal() throws {
    try withUnsafePointer(to: &standalone.second) { pointer in
      let symbol = try #require(Symbolizer.shared.symbol(at: UInt(bitPattern: pointer)))
      #expect(symbol.name == "standalone")
      #expect(symbol.offset == 8)
    }
  }

  @Test("names a C library's function") func libraryFunction() throws {
    let address = UInt(bitPattern: try #require(dlsym(nil, "getpid")))
    let symbol = try #require(Symbolizer.shared.symbol(at: address))
    #expect(symbol.name.contains("getpid"))
    #expect(symbol.library.hasPrefix("libc.so"))
    #expect(symbol.isLibrary)
    #expect(symbol.location == nil)
  }

  @Test("knows nothing of the heap and of the stack") func noSymbol() {
    let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    defer { block.deallocate() }
    #expect(Symbolizer.shared.symbol(at: UInt(bitPattern: block)) == nil)
    var local = 0
    withUnsafePointer(to: &local) {
      #expect(Symbolizer.shared.symbol(at: UInt(bitPattern: $0)) == nil)
    }
  }

  @Test("answers the same from the cache and from several threads") func threads() async throws {
    let address = UInt(bitPattern: try #require(dlsym(nil, "malloc")))
    let names = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<64 { group.addTask { Symbolizer.shared.name(at: address) } }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(names.count == 1)
    #expect(names.first??.contains("malloc") == true)
  }
}
