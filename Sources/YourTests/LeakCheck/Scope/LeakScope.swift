import MemlabHeapModel
import MemlabHeapReader
import Synchronization
import Testing

/// The tasks and objects that one check watches. It keeps none of them alive.
final class LeakScope: Sendable {
  /// Raised when the last task of the body has ended.
  let lastTaskEnded = Signal()
  /// Which tasks are judged.
  let tasks: LeakChecker.Tasks
  /// The number of the latest task before the body; those of the process with a higher number are
  /// judged if all are.
  let latestTaskBefore: UInt64
  /// Where the test stands whose rings of objects are looked for; nil where they are not.
  let placeOfRings: SourceLocation?

  private let watched = Mutex<[WatchedObject]>([])
  private let tokens = Mutex<[Weak<ScopeToken>]>([])
  private let latestBeginning = Mutex<HeapMoment?>(nil)
  private let rings = Mutex(Rings())

  private struct Weak<Object: AnyObject & Sendable>: Sendable { weak var object: Object? }

  private struct Rings {
    // The complements of addresses: an address here would be a reference.
    var latest: Set<UInt> = []
    var areUnclear = false
    // What the looks count at which no thread was running that may know one.
    var looks = 0
  }

  // A look at which no thread ran at all counts as three.
  private static let (looksForRings, undisturbedLook) = (5, 3)

  private static let all = Mutex<[Weak<LeakScope>]>([])
  private let outer: Set<ObjectIdentifier>
  // The complement of its address.
  private let task = ~(HeapTask.current?.address ?? 0)

  /// A check of these tasks and of no object yet.
  init(
    judging tasks: LeakChecker.Tasks, after latestTask: UInt64,
    findingRingsAt place: SourceLocation?
  ) {
    (self.tasks, latestTaskBefore, placeOfRings) = (tasks, latestTask, place)
    outer = Set((ScopeToken.current?.scopes ?? []).map { ObjectIdentifier($0) })
    Self.all.withLock { all in
      all.removeAll { $0.object == nil }
      all.append(Weak(object: self))
    }
  }

  /// Where the task is that runs the check, and waits for it to end. It may have the check's token, too.
  var taskOfTest: UInt { ~task }

  /// The checks that are not over.
  static var live: [LeakScope] { all.withLock { $0.compactMap(\.object) } }

  private static let left = Mutex<[WatchedObject]>([])

  /// Where objects are that checks have reported, and that still live: what works with them is work of
  /// those checks.
  static var leftByEarlierChecks: [UInt] {
    left.withLock { left in
      left.removeAll { !$0.isAlive }
      return left.map(\.address)
    }
  }

  private static let lost = Mutex<Set<UInt64>>([])

  /// The numbers of the blocks that nothing can reach any more, as checks have found.
  static var lostBlocks: Set<UInt64> { lost.withLock(\.self) }

  /// Notes what the check leaves behind; objects not where another check around it may watch them, too, and
  /// would count one weak reference more.
  ///
  /// - Parameter blocks: the numbers of those that nothing can reach any more.
  func noteLeft(lost blocks: Set<UInt64>) {
    let survivors = outer.isEmpty ? survivors : []
    HeapRecording.withoutRecording {
      Self.left.withLock { $0 += survivors }
      Self.lost.withLock { $0.formUnion(blocks) }
    }
  }

  /// Whether it is a check, or one is in the body of the other.
  func isRelated(to other: LeakScope) -> Bool {
    self === other || outer.contains(ObjectIdentifier(other))
      || other.outer.contains(ObjectIdentifier(self))
  }

  /// Whether everything is gone, as far as can be told without the heap.
  var isSettled: Bool {
    switch tasks {
    case .none: survivors.isEmpty
    case .ofTheBody: lastTaskEnded.isRaised && survivors.isEmpty
    case .all: false
    }
  }

  /// Whether all tasks of the process are judged, and no object and no ring is left to judge.
  var hasNoObjectsInProcess: Bool { tasks == .all && survivors.isEmpty && !needsToSeeRingsAgain }

  /// Whether a test that is judged whole has left nothing that is worth a look at who refers to whom.
  var isClean: Bool {
    #if MEMLAB_PORTABLE
      return false
    #else
      guard hasNoObjectsInProcess, tokenAddresses.isEmpty, let beginning else { return false }
      return (try? Survey.isNothingLeft(since: beginning, outside: SystemTypes.ofLibraries)) == true
    #endif
  }

  /// Whether a task of the body is known not to have ended.
  var hasUnfinishedTasks: Bool { tasks == .ofTheBody && !lastTaskEnded.isRaised }

  /// Notes that the body begins now.
  func begin() { latestBeginning.withLock { $0 = HeapMoment() } }

  /// When the body began; nil when it has not.
  var beginning: HeapMoment? { latestBeginning.withLock { $0 } }

  /// Ends the check: tasks that still run have been judged.
  func close() { for token in liveTokens where token.scope === self { token.releaseOuter() } }

  // MARK: - Tokens

  /// A token for the body to run with.
  func makeToken() -> ScopeToken {
    let token = ScopeToken(scope: self, inside: ScopeToken.current)
    for scope in token.scopes {
      HeapRecording.withoutRecording { scope.tokens.withLock { $0.append(Weak(object: token)) } }
    }
    return token
  }

  /// The addresses of the token and of the tokens of inner checks that have not been judged; empty
  /// if all tasks have ended.
  var tokenAddresses: [UInt] {
    liveTokens.filter { $0.scopes.contains { $0 === self } }
      .map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
  }

  private var liveTokens: [ScopeToken] { tokens.withLock { $0 }.compactMap(\.object) }

  // MARK: - Objects

  /// The objects that are not gone, in the order in which they were handed over.
  var survivors: [WatchedObject] { watched.withLock { $0.filter(\.isAlive) } }

  /// Adds an object that must be gone in the end.
  func watch(
    _ object: AnyObject, at place: SourceLocation, as origin: WatchedObject.Origin = .named
  ) {
    // Recorded is what weak references point at, or the object would not be recognised.
    let object = WatchedObject(object, at: place, as: origin)
    HeapRecording.withoutRecording {
      watched.withLock { watched in
        // `expectNoLeaks { watch(Model()) }` returns what it has handed over.
        let isReturned = origin == .returned
        if isReturned, watched.contains(where: { $0.isAlive && $0.address == object.address }) {
          return
        }
        watched.append(object)
      }
    }
  }

  /// Stops watching some objects that the body has returned, and that nobody has named.
  func forget(_ objects: [WatchedObject]) {
    let addresses = Set(objects.map(\.address))
    watched.withLock { $0.removeAll { $0.origin == .returned && addresses.contains($0.address) } }
  }

  // MARK: - Rings of objects, of which each look at the heap may find others

  /// Those of some rings that the look before has found, too.
  func ringsSeenBefore(among addresses: [UInt]) -> [UInt] {
    rings.withLock { rings in addresses.filter { rings.latest.contains(~$0) } }
  }

  /// Notes what rings a look has found, whether a thread was running that may know one of them, whether no
  /// thread had run at all, and whether nothing leads to any of them for certain, so that no other look can
  /// tell more.
  func noteRings(_ addresses: [UInt], areUnclear: Bool, isUndisturbed: Bool, areAllKnown: Bool) {
    rings.withLock { rings in
      rings.latest = Set(addresses.map { ~$0 })
      rings.areUnclear = areUnclear
      let worth = areAllKnown ? Self.looksForRings : Self.worth(isUndisturbed)
      if !areUnclear { rings.looks += worth }
    }
  }

  /// Whether another look may tell more of the rings that were found. At one look, what somebody has
  /// just left in memory may look like a reference to one, and a thread that runs may know it.
  var needsToSeeRingsAgain: Bool {
    rings.withLock { !$0.latest.isEmpty && ($0.areUnclear || $0.looks < Self.looksForRings) }
  }

  /// Whether there will be another look at the rings after one at which no thread ran at all, or one did.
  func willSeeRingsAgain(after isUndisturbed: Bool) -> Bool {
    rings.withLock { $0.looks + Self.worth(isUndisturbed) < Self.looksForRings }
  }

  private static func worth(_ isUndisturbed: Bool) -> Int { isUndisturbed ? undisturbedLook : 1 }

  /// Whether a thread was running at the latest look that may know one of the rings.
  var hasUnclearRings: Bool { rings.withLock { $0.areUnclear } }
}

/// Marks the tasks of one check.
///
/// A task-local value is copied into every unstructured task that is created in its scope, and into
/// the tasks that those create. A task releases its copy when its body has returned. So the token
/// is deinitialised when the last of these tasks has ended, and its deinit reports that.
final class ScopeToken: Sendable {
  /// The token of the check whose body the calling task belongs to.
  @TaskLocal static var current: ScopeToken?

  /// The check.
  let scope: LeakScope
  // A task has one token, that of the innermost check. This token holds the outer one until the
  // inner check is judged.
  private let outer: Mutex<ScopeToken?>

  /// A token for the tasks of a check.
  init(scope: LeakScope, inside outer: ScopeToken?) {
    self.scope = scope
    self.outer = Mutex(outer)
  }

  deinit { scope.lastTaskEnded.raise() }

  /// The check and each one around it.
  var scopes: [LeakScope] { [scope] + (outer.withLock { $0 }?.scopes ?? []) }

  /// Lets an outer check end although tasks of this one still run: they have been judged.
  func releaseOuter() { outer.withLock { $0 = nil } }
}
