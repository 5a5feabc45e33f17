public import MemlabKit

/// Every scenario, in the order in which the lessons take them.
public enum Catalog {
  /// The scenarios, with the sentences that people are taught.
  public static let scenarios: [Scenario] = all.map(TaughtClaim.added)

  /// The scenarios. A new one is one file, one line here and one section of a lesson.
  private static let all: [Scenario] = [
    // Lesson 01.
    .retainCycle, .weakBackReference, .unownedBackReference, .storedClosure, .storedClosureWeak,
    // Lesson 02.
    .strongSelf, .weakSelfGuard, .capturedDependency, .onTermination, .deinitFinish, .capturedOwner,
    .weakSelfLoop,
    // Lesson 03.
    .sharedStreamSplit, .broadcastStream, .broadcastDropped, .broadcastStrongTermination,
    // Lesson 04.
    .sinkStrongSelf, .assignOnSelf, .sinkWeakSelf, .assignToPublished, .cancellableStop,
    .cancellableReplaced, .weakAssign, .flatMapWeakSelf, .flatMapCapturedDatabase,
    .flatMapMethodReference, .flatMapOwnMethod, .sinkStrongSelfOneShot,
    // Lesson 05.
    .strongMapTable, .weakMapTableLazy, .weakMapTable, .reactorDisposeBag,
    .reactorDroppedConnection, .reactorMutateSelf,
    // Lesson 06.
    .structInoutRace, .structCopy, .structEscapingSelf, .structSharedReference, .structLock,
    .accessorLock, .structActor, .structActorAwait, .asyncLetInoutRace, .orderSharedClass,
    // Lesson 07.
    .calendarWeakDelegate, .calendarObserverCycle,
    // Lesson 08.
    .weakSelfRunForever, .guardBeforeLoop, .weakSelfAndCancel, .taskInOwner, .cancelOnDeinit,
    .pollingWeakSelf, .abandonedContinuation, .innerWeakOuterStrong, .cycleThatEnds,
    .blockedNotLeaked,
    // Lesson 11.
    .groupResults, .finishedHandles, .taskLocalCopy, .unstructuredChild, .workOutlivesOwner,
    .tickAgain, .deferWeakSelf, .isolatedDeinitCycle, .noncopyableOwner,
    // Lesson 12.
    .streamBuffer, .queueBacklog, .releaseChain, .observationAgain, .notificationBlock,
    .timerHandler, .referenceBytes, .weakTest,
  ]

  /// The scenario with this id.
  public static func scenario(_ id: String) -> Scenario? { scenarios.first { $0.id == id } }
}
