import MemlabHeapModel
import MemlabHeapReader
import TestSupport
import Testing

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
    let other = Task { for await _ in stream {} }
    await expect("Task.value") { await other.value }
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
