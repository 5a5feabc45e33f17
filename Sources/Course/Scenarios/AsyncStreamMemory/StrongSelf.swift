import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(of: StrongSelf.DataCacheUseCaseImpl.self)

  /// `strong-self`: the forwarding task captures self.
  static let strongSelf = Scenario(
    id: "strong-self", title: "the forwarding task captures self", document: .asyncStreamMemory,
    place: "step 1 of 5", lesson: "02-five-steps-to-a-stream-that-ends",
    question: "The owner is dropped. How many of the two objects are deinitialised?",
    hint: "Which task has not finished? What does it need in order to go on?",
    beliefs: [
      .cycle("The document itself says that a retain cycle occurs."),
      .nobody("Cancelling the consumer looks like cancelling everything."),
      .global(
        "The repository lives as long as the app, and people assume that it holds all who listen."),
    ], next: "weak-self-guard", fixedBy: "deinit-finish",
    endings: [
      endings.cancel(
        expects: .dataCache(
          .leak, useCase: .task("forwarder"), repo: .useCase, consumer: 1, forwarder: 0),
        explanation: "Cancelling the consumer does not cancel the forwarder, which is a separate "
          + "task. The forwarder waits for a repository that never finishes, and holds self while "
          + "it waits."
      )
      .claiming(
        "a retain cycle occurs", original: "순환참조가 발생해서",
        failsBecause: "no objects hold each other. A task that has not finished needs no owner: it "
          + "is a root, and it holds self"
      ) { ($0.cycles ?? 0) > 0 }
      .claiming(
        "dataCacheUseCase is not deinitialised even if the task is cancelled",
        original: "`task`가 cancel이 되어도 `dataCacheUseCase`는 deinit되지 않는 문제가 발생합니다"
      ) { $0.task("consumer").live == 0 && $0.object("DataCacheUseCaseImpl").alive == 1 }
      .asking(
        "The consumer is cancelled and the owner is dropped. How many of the two objects are "
          + "deinitialised?"),
      endings.drop(
        expects: .dataCache(
          .leak, useCase: .task("forwarder"), repo: .useCase, consumer: 0, forwarder: 0),
        explanation: "Nothing tells the tasks that the owner was dropped. The consumer waits for "
          + "the forwarder, and the forwarder waits for the repository."),
      endings.finish(
        expects: .dataCache(.leak, consumer: 0, forwarder: 1),
        explanation: "The forwarder ends with its source and releases self. It does not finish "
          + "the stream that it fed, so the consumer waits forever."),
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
