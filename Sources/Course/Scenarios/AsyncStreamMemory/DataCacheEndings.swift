import MemlabKit

/// The endings of each step of “Swift AsyncStream and memory management”.
struct DataCacheEndings<UseCase: DataCacheUseCaseUnderStudy> {
  /// How the consumer gets the stream.
  let consume: DataCacheStage.Consumer

  /// The endings for a use case of this type.
  init(of useCase: UseCase.Type, consumedBy consume: @escaping DataCacheStage.Consumer) {
    self.consume = consume
  }

  /// The endings for a use case of this type, consumed by a task that holds only the stream.
  init(of useCase: UseCase.Type) { self.init(of: useCase, consumedBy: consumeStream) }

  /// The consumer is cancelled while the owner is alive, as when a screen is closed properly.
  func cancel(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    Ending(
      "cancel", "the consumer is cancelled, then the owner is dropped",
      expects: expects, explanation: explanation, claims: claims
    ) { [consume] lab in
      let stage = DataCacheStage(lab, for: UseCase.self)
      try stage.open(consumedBy: consume)
      try stage.cancelConsumer()
      try stage.dropOwner()
    }
  }

  /// The owner is dropped while a consumer still waits for its next value.
  func drop(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    Ending(
      "drop", "the owner is dropped while the consumer still waits",
      expects: expects, explanation: explanation, claims: claims
    ) { [consume] lab in
      let stage = DataCacheStage(lab, for: UseCase.self)
      try stage.open(consumedBy: consume)
      try stage.dropOwner()
    }
  }

  /// The source finishes.
  func finish(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    Ending(
      "finish", "the repository finishes its stream, then the owner is dropped",
      expects: expects, explanation: explanation, claims: claims
    ) { [consume] lab in
      let stage = DataCacheStage(lab, for: UseCase.self)
      try stage.open(consumedBy: consume)
      try stage.finishRepository()
      try stage.dropOwner()
    }
  }
}

extension Declaration {
  /// The counts of one repository, one use case and the two tasks.
  ///
  /// - Parameters:
  ///   - useCase: how many use cases are deinitialised, 0 or 1.
  ///   - repo: how many repositories are deinitialised, 0 or 1.
  ///   - consumer: how many consumers have finished, 0 or 1.
  ///   - forwarder: how many forwarders have finished, 0 or 1.
  ///   - useCaseHeld: who holds a use case that is not deinitialised.
  ///   - repoHeld: who holds a repository that is not deinitialised.
  static func dataCache(
    _ verdict: Verdict, useCase: Int, repo: Int, consumer: Int, forwarder: Int,
    useCaseHeld: DeclaredHolder? = nil, repoHeld: DeclaredHolder? = nil
  ) -> Declaration {
    Declaration(
      verdict,
      objects: [
        ObjectCount("DataCacheUseCaseImpl", created: 1, deinitialized: useCase),
        ObjectCount("DataCacheRepoImpl", created: 1, deinitialized: repo),
      ],
      tasks: [
        TaskCount("consumer", started: 1, finished: consumer),
        TaskCount("forwarder", started: 1, finished: forwarder),
      ],
      held: ["DataCacheUseCaseImpl": useCaseHeld, "DataCacheRepoImpl": repoHeld]
        .compactMapValues(\.self))
  }
}

extension DeclaredHolder {
  /// A use case, by its repository.
  static let useCase = field("dataCacheRepo", of: "DataCacheUseCaseImpl")
}
