import MemlabHeapModel
import Synchronization

/// What a check asks of the next look at the heap. A look takes long, and many tests run at the same
/// time, so one look answers all of them.
final class LookRequest: Sendable {
  /// The check.
  let scope: LeakScope
  /// How long it waits; timers that fire later end nothing in time.
  let limit: Duration
  private let result = Mutex<Result<HeapLook, UnreadHeap>?>(nil)
  /// Raised when there is an answer.
  let isAnswered = Signal()

  /// A request that nobody has answered.
  init(for scope: LeakScope, within limit: Duration) { (self.scope, self.limit) = (scope, limit) }

  /// What the look has found; nil when there was none: not yet, or because nothing is left.
  var answer: Result<HeapLook, UnreadHeap>? { result.withLock(\.self) }

  /// Answers the request, with nil when nothing is left.
  func answer(with look: Result<HeapLook, UnreadHeap>?) {
    result.withLock { $0 = look }
    isAnswered.raise()
  }
}

/// Reads the heap: one look at a time, for all checks that ask for one, and not on the actor that a test
/// runs on.
@globalActor package actor HeapReadTurn {
  /// The only one of the process.
  package static let shared = HeapReadTurn()
  private static let isTaken = Atomic(false)
  private static let requests = Mutex<[LookRequest]>([])
  private static let nanoseconds = Atomic<Int64>(0)
  private static let looks = Atomic(0)

  /// How often the heap was read in this process.
  package static var count: Int { looks.load(ordering: .relaxed) }

  /// How long the last reading took in this process.
  static var latestDuration: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

  /// Asks for the next look.
  static func add(_ request: LookRequest) {
    HeapRecording.withoutRecording { requests.withLock { $0.append(request) } }
  }

  /// Takes a request back.
  ///
  /// - Returns: false when a look for it has begun, which will answer it.
  static func remove(_ request: LookRequest) -> Bool {
    requests.withLock { requests in
      guard let place = requests.firstIndex(where: { $0 === request }) else { return false }
      requests.remove(at: place)
      return true
    }
  }

  /// Takes the turn unless another check has it.
  ///
  /// - Returns: what was asked for, if the turn was taken. The caller must read the heap for it, which
  ///   ends the turn.
  static func begin() -> [LookRequest]? {
    guard isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    else { return nil }
    return requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }

  /// Ends the turn, and records how long it took.
  static func end(after duration: Duration) {
    looks.add(1, ordering: .relaxed)
    nanoseconds.store(Int64(duration / .nanoseconds(1)), ordering: .relaxed)
    isTaken.store(false, ordering: .releasing)
  }
}
