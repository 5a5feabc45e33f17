internal import HeapGraph
internal import Synchronization

/// The tasks and objects that one check watches. It keeps none of them alive.
final class LeakScope: Sendable {
  /// Raised when the last task of the body has ended.
  let lastTaskEnded = Signal()
  /// Which tasks are judged.
  let tasks: JudgedTasks
  private let watched = Mutex<[WatchedObject]>([])
  private let token = Mutex(WeakToken())

  /// A check of these tasks and of no object yet.
  init(judging tasks: JudgedTasks) {
    self.tasks = tasks
  }

  /// A token for the body to run with.
  func makeToken() -> ScopeToken {
    let token = ScopeToken(scope: self, inside: ScopeToken.current)
    self.token.withLock { $0.token = token }
    return token
  }

  /// Adds an object that must be gone in the end.
  func watch(_ object: AnyObject, at place: CodePlace) {
    // Recorded is what weak references point at, or the object would not be recognised.
    let object = WatchedObject(object, at: place)
    HeapRecording.withoutRecording { watched.withLock { $0.append(object) } }
  }

  /// The objects that are not gone, in the order in which they were handed over.
  var survivors: [WatchedObject] { watched.withLock { $0.filter { $0.isAlive } } }

  /// Where the token is; nil when it is gone.
  var tokenAddress: UInt? {
    token.withLock { $0.token.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } }
  }

  /// Whether a task of the body is known not to have ended.
  var hasUnfinishedTasks: Bool { tasks == .ofTheBody && !lastTaskEnded.isRaised }

  /// Ends the check: what goes on now has been judged.
  func close() { token.withLock { $0.token?.leaveOuter() } }
}

/// The tasks that a check judges.
enum JudgedTasks: Sendable, Equatable {
  /// None: objects only.
  case none
  /// Those that were created in the body, and theirs.
  case ofTheBody
  /// All that were created after the task with this number, whoever created them.
  case allAfter(UInt64)
}

private struct WeakToken {
  weak var token: ScopeToken?
}
