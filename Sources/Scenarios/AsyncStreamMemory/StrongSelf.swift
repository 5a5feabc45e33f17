import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(of: StrongSelf.DataCacheUseCaseImpl.self)

  static let strongSelf = Scenario(
    id: "strong-self",
    title: "the forwarding task captures self",
    document: .asyncStreamMemory,
    place: "step 1 of 5",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "The owner lets go. How many of the two objects are deinitialised?",
    hint: "Who still runs? Follow what that task needs in order to go on.",
    next: "weak-self-guard",
    fixedBy: "deinit-finish",
    endings: [
      endings.cancel(
        expects: .dataCache(
          .leak, useCase: 0, repo: 0, consumer: 1, forwarder: 0,
          useCaseHeld: .task("forwarder"), repoHeld: .useCase),
        explanation: "Cancelling the consumer does not reach the forwarder: it is a task of its "
          + "own, waits for a repository that never finishes, and holds self while it waits.",
        claims: [
          Claim(
            "a retain cycle occurs", original: "순환참조가 발생해서",
            .fails(
              because:
                "no objects hold each other. A task that has not ended needs no owner: it is "
                + "a root, and holds self")
          ) { ($0.heap?.cycles ?? 0) > 0 },
          Claim(
            "dataCacheUseCase is not deinitialised even if the task is cancelled",
            original: "`task`가 cancel이 되어도 `dataCacheUseCase`는 deinit되지 않는 문제가 발생합니다"
          ) { $0.task("consumer").live == 0 && $0.object("DataCacheUseCaseImpl").alive == 1 },
        ]
      )
      .asking(
        "The consumer is cancelled and the owner lets go. How many of the two objects are "
          + "deinitialised?"),
      endings.drop(
        expects: .dataCache(
          .leak, useCase: 0, repo: 0, consumer: 0, forwarder: 0,
          useCaseHeld: .task("forwarder"), repoHeld: .useCase),
        explanation: "Nobody is told that the owner is gone: the consumer waits for the forwarder, "
          + "the forwarder for the repository."),
      endings.finish(
        expects: .dataCache(.leak, useCase: 1, repo: 1, consumer: 0, forwarder: 1),
        explanation: "The forwarder ends with its source and lets go of self, but it does not "
          + "finish the stream that it fed: the consumer waits for ever."),
    ])
}

/// The document's first listing.
enum StrongSelf {
  // snippet:code
  public final class DataCacheUseCaseImpl: DataCacheUseCase {
    public lazy var didChangeDataCache: AsyncThrowingStream<Void, Error> = .init {
      [self] continuation in
      Task(probe: "forwarder") {
        for try await value in await self.dataCacheRepo.didChangeDataCache {
          continuation.yield(value)
        }
      }
    }

    private let dataCacheRepo: DataCacheRepo
    private let probe = Probe(DataCacheUseCaseImpl.self)

    init(dataCacheRepo: DataCacheRepo) { self.dataCacheRepo = dataCacheRepo }
  }
  // snippet:end
}

extension StrongSelf.DataCacheUseCaseImpl: DataCacheUseCaseUnderStudy {}
