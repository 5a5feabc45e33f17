import MemlabHeapModel
import Synchronization
import Testing

/// The tasks and objects that one check watches. It keeps none of them alive.
final class LeakScope: Sendable {
  /// Raised when the last task of the body has ended.
  let lastTaskEnded = Signal()
  /// Which tasks are judged.
  let tasks: JudgedTasks
  private let watched = Mutex<[WatchedObject]>([])
  private let tokens = Mutex<[WeakToken]>([])
  private let latestBeginning = Mutex<HeapMoment?>(nil)

  /// Where the test stands whose rings of objects are looked for; nil where they are not.
  let placeOfRings: SourceLocation?

  private let rings = Mutex(Rings())

  private struct Rings {
    // Turned over: an address here would be a reference.
    var latest: Set<UInt> = []
    var areUnclear = false
    // Those at which no thread was running.
    var looks = 0
  }

  /// A check of these tasks and of no object yet.
  init(judging tasks: JudgedTasks, findingRingsAt place: SourceLocation? = nil) {
    self.tasks = tasks
    placeOfRings = place
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

  /// Notes that the body begins now.
  func begin() { latestBeginning.withLock { $0 = HeapMoment() } }

  /// When the body began; nil when it has not.
  var beginning: HeapMoment? { latestBeginning.withLock { $0 } }

  /// Adds an object that must be gone in the end.
  func watch(
    _ object: AnyObject, at place: SourceLocation, as origin: WatchedObject.Origin = .named
  ) {
    // Recorded is what weak references point at, or the object would not be recognised.
    let object = WatchedObject(object, at: place, as: origin)
    HeapRecording.withoutRecording {
      watched.withLock { watched in
        // `expectNoLeaks { watch(Model()) }` returns what it has handed over.
        if origin == .returned,
          watched.contains(where: { $0.isAlive && $0.address == object.address })
        {
          return
        }
        watched.append(object)
      }
    }
  }

  /// Those of some rings that the look before has found, too.
  func ringsSeenBefore(among addresses: [UInt]) -> [UInt] {
    rings.withLock { rings in addresses.filter { rings.latest.contains(~$0) } }
  }

  /// Notes what rings a look has found, and whether a thread was running that may know one of them.
  func noteRings(_ addresses: [UInt], areUnclear: Bool) {
    rings.withLock { rings in
      rings.latest = Set(addresses.map { ~$0 })
      rings.areUnclear = areUnclear
      if !areUnclear { rings.looks += 1 }
    }
  }

  /// Whether another look may tell more of the rings that were found. At one look, what somebody has
  /// just left in memory may look like a reference to one, and a thread that runs may know it.
  var hasRingsToSee: Bool {
    rings.withLock { !$0.latest.isEmpty && ($0.areUnclear || $0.looks < Self.looksForRings) }
  }

  /// Whether there will be another look at the rings when this one is over.
  var hasPatienceWithRings: Bool { rings.withLock { $0.looks < Self.looksForRings - 1 } }

  private static let looksForRings = 5

  /// Whether a thread was running at the latest look that may know one of the rings.
  var hasUnclearRings: Bool { rings.withLock { $0.areUnclear } }

  /// The objects that are not gone, in the order in which they were handed over.
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
