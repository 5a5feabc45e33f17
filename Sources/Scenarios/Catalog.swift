package import MemlabKit

/// Every scenario, in the order in which the lessons take them.
package enum Catalog {
  /// The scenarios. A new one is one file, one line here and one section of a lesson.
  package static let scenarios: [Scenario] = [
    .retainCycle,
    .weakBackReference,
    .unownedBackReference,
    .storedClosure,
    .storedClosureWeak,
    .strongSelf,
    .weakSelfGuard,
    .capturedDependency,
    .onTermination,
    .deinitFinish,
    .capturedOwner,
    .weakSelfLoop,
    .sharedStreamSplit,
    .broadcastStream,
    .broadcastDropped,
    .broadcastStrongTermination,
    .sinkStrongSelf,
    .assignOnSelf,
    .sinkWeakSelf,
    .assignToPublished,
    .cancellableStop,
    .cancellableReplaced,
    .weakAssign,
    .flatMapWeakSelf,
    .flatMapCapturedDatabase,
    .flatMapMethodReference,
    .flatMapOwnMethod,
    .sinkStrongSelfOneShot,
    .strongMapTable,
    .weakMapTableLazy,
    .weakMapTable,
    .reactorDisposeBag,
    .reactorDroppedConnection,
    .reactorMutateSelf,
    .structInoutRace,
    .structCopy,
    .structEscapingSelf,
    .structSharedReference,
    .structLock,
    .accessorLock,
    .structActor,
    .structActorAwait,
    .asyncLetInoutRace,
    .orderSharedClass,
    .calendarWeakDelegate,
    .calendarObserverCycle,
    .weakSelfRunForever,
    .guardBeforeLoop,
    .weakSelfAndCancel,
    .taskInOwner,
    .cancelOnDeinit,
    .pollingWeakSelf,
    .abandonedContinuation,
    .innerWeakOuterStrong,
    .cycleThatEnds,
    .blockedNotLeaked,
  ]

  /// The families of the scenarios' documents, in the order of the catalog.
  package static let families: [String] = scenarios.map(\.document.family).reduce(into: []) {
    if !$0.contains($1) { $0.append($1) }
  }

  /// The folders in `Lessons/`, in order: those that scenarios name, and one without scenarios.
  package static let lessons: [String] =
    Set(scenarios.map(\.lesson)).sorted() + ["09-your-own-project"]

  /// The scenario with this id.
  package static func scenario(_ id: String) -> Scenario? {
    scenarios.first { $0.id == id }
  }
}
