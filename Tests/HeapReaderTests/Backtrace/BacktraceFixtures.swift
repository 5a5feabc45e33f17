import MemlabHeapModel
import MemlabHeapReader
import Synchronization

/// A task started for a test, whose address is known once it runs.
struct ParkedTask {
  let task: Task<Void, any Error>
  private let address = Mailbox()

  init(_ operation: @escaping @Sendable () async throws -> Void) {
    let address = address
    task = Task {
      address.noteCurrentTask()
      try await operation()
    }
  }

  /// The backtrace at this moment.
  var backtraceNow: AsyncBacktrace? { address.value.flatMap { AsyncBacktrace(ofTask: $0) } }

  /// The backtrace, once the task waits in the place that the test expects; the last one seen
  /// when it doesn't get there.
  func backtrace(
    suspendedIn places: String..., hiding modules: Set<String> = []
  ) async -> AsyncBacktrace? {
    var last: AsyncBacktrace?
    for _ in 0..<200_000 {
      if let address = address.value {
        last = AsyncBacktrace(ofTask: address, hiding: modules)
        if let place = last?.suspendedIn, places.contains(place) { return last }
      }
      await Task.yield()
    }
    return last
  }
}

/// Carries the address of a task out of it.
final class Mailbox: Sendable {
  private let address = Mutex<UInt>(0)

  var value: UnsafeRawPointer? { address.withLock { UnsafeRawPointer(bitPattern: $0) } }

  func noteCurrentTask() {
    withUnsafeCurrentTask { task in
      let pointer = task.map { unsafeBitCast($0, to: UnsafeRawPointer.self) }
      address.withLock { $0 = UInt(bitPattern: pointer) }
    }
  }
}

/// Holds a continuation until the test lets the task go on.
final class Gate: Sendable {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  func wait() async {
    await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
  }

  func open() {
    for continuation in waiting.withLock({ $0 }) { continuation.resume() }
    waiting.withLock { $0 = [] }
  }
}

protocol DataCacheRepo: Sendable {
  var didChangeDataCache: AsyncThrowingStream<Void, any Error> { get async }
}

/// The pattern under study, as its document prints it: the forwarding task captures `self`.
enum StrongSelf {
  final class Repo: DataCacheRepo {
    private let source = AsyncThrowingStream<Void, any Error>.makeStream()
    var didChangeDataCache: AsyncThrowingStream<Void, any Error> { get async { source.stream } }
    func finish() { source.continuation.finish() }
  }

  final class DataCacheUseCaseImpl: @unchecked Sendable {
    lazy var didChangeDataCache: AsyncThrowingStream<Void, any Error> = .init {
      [self] continuation in
      Task {
        forwarder.noteCurrentTask()
        for try await value in await self.dataCacheRepo.didChangeDataCache {
          continuation.yield(value)
        }
      }
    }
    static let forwardingLine = #line - 5
    static let taskLine = #line - 8

    let forwarder = Mailbox()
    private let dataCacheRepo: any DataCacheRepo

    init(_ repo: any DataCacheRepo) { dataCacheRepo = repo }
  }
}
