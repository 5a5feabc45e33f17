import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

/// The recorder is one for the whole process, so the tests that use it run one after another.
@Suite("The heap witness", .serialized, .enabled(if: HeapRecording.isAvailable))
enum HeapWitness {}

/// Records the heap while `body` runs.
func recorded<Result>(_ body: () throws -> Result) rethrows -> Result {
  HeapRecording.start()
  defer { HeapRecording.stop() }
  return try body()
}

/// A snapshot of what `plant` left on the heap.
func snapshot(after plant: () -> Void) throws -> HeapSnapshot {
  try recorded {
    plant()
    return try HeapSnapshot.take()
  }
}

/// A snapshot of what `fill` has put into a holder, which a global variable holds meanwhile.
func snapshotOfHolder(_ fill: (Holder) -> Void) throws -> HeapSnapshot {
  defer { globalHolder = nil }
  return try snapshot {
    let holder = Holder()
    fill(holder)
    globalHolder = holder
  }
}

extension HeapSnapshot {
  /// The cycles that a class is part of. Other tests run in this process meanwhile, and a program
  /// that they start is a cycle of its own for as long as it runs.
  ///
  /// - Returns: the names of each cycle's members.
  func cycles(of type: Any.Type) -> [[String]] {
    survey.objectCycles.map { cycle in cycle.map { survey.typeName(of: $0) ?? "" } }
      .filter { $0.contains(TypeName.qualified(type)) }
  }

  /// How many blocks of each kind were live.
  var blocksByKind: [HeapBlockKind: Int] {
    (0..<blocks).reduce(into: [:]) { $0[survey.kinds[$1], default: 0] += 1 }
  }
}

extension HeapSnapshot {
  /// The tasks of these names, and their children. Other tests run in this process meanwhile, and
  /// what they create is on the heap too.
  func tasks(named names: Set<String>) -> [HeapTask] {
    let named = tasks.filter { names.contains($0.name ?? "") }
    return tasks.filter { task in
      names.contains(task.name ?? "") || named.contains { task.isChild(of: $0) }
    }
  }
}

/// The qualified name under which a snapshot lists a class.
func name(_ type: Any.Type) -> String { TypeName.qualified(type) }

/// Gives the processor away until `isDone`; fails after ten minutes, for tests that wait for programs may have the pool first.
func wait(until isDone: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + .seconds(600)
  while try !isDone() {
    try #require(ContinuousClock.now < deadline, "waited for too long")
    sched_yield()
  }
}

/// A snapshot taken when all tasks with these names have been left by their threads.
func snapshot(withSuspended names: Set<String>) throws -> HeapSnapshot {
  var result = try HeapSnapshot.take()
  try wait {
    result = try HeapSnapshot.take()
    let suspended = result.tasks.filter { !$0.isFinished && !$0.isRunning && !$0.isEnqueued }
    return names.isSubset(of: suspended.compactMap(\.name))
  }
  return result
}

/// A repository whose stream never ends by itself.
final class Repo: @unchecked Sendable {
  var continuation: AsyncStream<Int>.Continuation?
  var changes: AsyncStream<Int> { AsyncStream { continuation = $0 } }
}

/// The first step of the course: a task that forwards a stream and captures `self`.
final class UseCase: @unchecked Sendable {
  let repo: Repo
  init(repo: Repo) { self.repo = repo }

  lazy var changes: AsyncStream<Int> = AsyncStream { [self] continuation in
    Task(name: "forwarder") { for await value in self.repo.changes { continuation.yield(value) } }
  }
}

/// Something that runs forever, as a leak does.
final class Runner: @unchecked Sendable {
  var continuation: UnsafeContinuation<Void, Never>?
  var rounds = 0

  func run() async {
    await withUnsafeContinuation { continuation = $0 }
    rounds += 1
  }

  /// A snapshot taken when a task waits here.
  func snapshot(ofTask name: String) throws -> HeapSnapshot {
    try wait { self.continuation != nil }
    return try HeapReaderTests.snapshot(withSuspended: [name])
  }
}

/// What a subscription returns; it holds the subscriber's closure.
final class Cancellable {
  let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
}

/// An owner that stores a cancellable whose closure captures the owner.
final class Screen {
  var subscription: Cancellable?
  var refreshes = 0
  func subscribe() { subscription = Cancellable { self.refreshes += 1 } }
}

/// An object with all kinds of references.
class Base { var inherited: Leaf? }

final class Holder: Base {
  var direct: Leaf?
  weak var weakly: Leaf?
  unowned(unsafe) var unsafely: Leaf?
  unowned var unownedly: Leaf?
  var list: [Leaf] = []
  var table: [String: Leaf] = [:]
  var either = Either.nothing
  var any: Any?
  var closure: (() -> Void)?
  lazy var later: Leaf? = Leaf()

  enum Either {
    case nothing
    case left(Leaf)
    case right(Leaf)
  }
}

final class Leaf: @unchecked Sendable { var value = 1 }

nonisolated(unsafe) var globalHolder: Holder?
/// A number, which may be where an object is and holds nothing.
nonisolated(unsafe) var globalNumber: UInt = 0
