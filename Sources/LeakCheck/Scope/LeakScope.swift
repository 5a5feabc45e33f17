internal import HeapGraph
internal import Synchronization
internal import Testing

/// The tasks and objects that one check watches. It keeps none of them alive.
final class LeakScope: Sendable {
  /// Raised when the last task of the body has ended.
  let lastTaskEnded = Signal()
  /// Which tasks are judged.
  let tasks: JudgedTasks
  private let watched = Mutex<[WatchedObject]>([])
  private let tokens = Mutex<[WeakToken]>([])
  private let latestBeginning = Mutex<Beginning?>(nil)

  /// A check of these tasks and of no object yet.
  init(judging tasks: JudgedTasks) {
    self.tasks = tasks
  }

  /// A token for the body to run with.
  func makeToken() -> ScopeToken {
    let token = ScopeToken(scope: self, inside: ScopeToken.current)
    token.forEachScope { scope in
      HeapRecording.withoutRecording {
        scope.tokens.withLock { $0.append(WeakToken(token: token)) }
      }
    }
    return token
  }

  /// Records that the body begins now.
  func begin() { latestBeginning.withLock { $0 = Beginning() } }

  /// An object that is as old as the body; nil before the body has begun.
  var beginning: Beginning? { latestBeginning.withLock { $0 } }

  /// Adds an object that must be deinitialised in the end.
  func watch(_ object: AnyObject, at place: SourceLocation, isReturned: Bool = false) {
    // The recorder knows the address that weak references point at. Another address would not be
    // recognised.
    let object = WatchedObject(object, at: place, isReturned: isReturned)
    HeapRecording.withoutRecording {
      watched.withLock { watched in
        // `expectNoLeaks { watch(Model()) }` returns an object that is already watched.
        if isReturned, watched.contains(where: { $0.isAlive && $0.address == object.address }) {
          return
        }
        watched.append(object)
      }
    }
  }

  /// The objects that are still alive, in the order in which they were watched.
  var survivors: [WatchedObject] { watched.withLock { $0.filter { $0.isAlive } } }

  /// Stops watching some of them.
  func forget(_ objects: [WatchedObject]) {
    let addresses = Set(objects.map(\.address))
    watched.withLock { $0.removeAll { $0.isReturned && addresses.contains($0.address) } }
  }

  /// The addresses of the token and of the tokens of inner checks that have not been judged; empty
  /// if all tasks have ended.
  var tokenAddresses: [UInt] {
    tokens.withLock { $0 }.compactMap(\.token).filter { $0.belongs(to: self) }.map {
      UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())
    }
  }

  /// Whether a task of the body is known not to have ended.
  var hasUnfinishedTasks: Bool { tasks == .ofTheBody && !lastTaskEnded.isRaised }

  /// Ends the check: tasks that still run have been judged.
  func close() {
    for token in tokens.withLock({ $0 }).compactMap(\.token) where token.scope === self {
      token.leaveOuter()
    }
  }
}

/// The tasks that a check judges.
enum JudgedTasks: Sendable, Equatable {
  /// No tasks, only objects.
  case none
  /// The tasks that were created in the body, and the tasks that these created.
  case ofTheBody
  /// All tasks that were created after the task with this number, in the whole process.
  case allAfter(UInt64)
}

private struct WeakToken {
  weak var token: ScopeToken?
}
