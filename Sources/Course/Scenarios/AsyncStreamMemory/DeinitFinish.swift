import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(of: DeinitFinish.DataCacheUseCaseImpl.self)

  /// `deinit-finish`: deinit finishes the stream.
  static let deinitFinish = Scenario(
    id: "deinit-finish", title: "deinit finishes the stream", document: .asyncStreamMemory,
    place: "step 5 of 5", lesson: "02-five-steps-to-a-stream-that-ends",
    question: "The owner finishes its stream in deinit. Does anything stay alive?",
    hint: "Follow the end of the owner along the arrows: deinit, finish, onTermination, cancel.",
    beliefs: [
      .task("The forwarder has held the repository in every step before this one."),
      .cycle("The owner stores a continuation, and its handler holds the task."),
    ], next: "captured-owner",
    endings: [
      endings.cancel(
        expects: .dataCache(.clean, consumer: 1, forwarder: 1),
        explanation: "As in step 4: the consumer's end reaches the forwarder through "
          + "onTermination."),
      endings.drop(
        expects: .dataCache(.clean, consumer: 1, forwarder: 1),
        explanation: "deinit finishes the stream. Downstream, the consumer's loop ends. Upstream, "
          + "onTermination cancels the forwarder, which releases the repository."
      )
      .claiming(
        "the stream can be ended at the moment when DataCacheUseCaseImpl is deinitialised",
        original: "`DataCacheUseCaseImpl`이 deinit되는 시점에 스트림을 끝낼 수 있고"
      ) { $0.task("consumer").live == 0 }
      .claiming(
        "and the dataCacheRepo that was held strongly is released",
        original: "strong으로 붙잡히고 있던 `dataCacheRepo`도 풀려나게 됩니다"
      ) { $0.object("DataCacheRepoImpl").alive == 0 },
      endings.finish(
        expects: .dataCache(.clean, consumer: 1, forwarder: 1),
        explanation: "When the source finishes, the consumer still waits. The owner's deinit ends "
          + "it. If the owner stayed alive, the consumer would wait forever."),
    ])
}

/// The document's fifth listing.
enum DeinitFinish {
  // snippet:code
  public final class DataCacheUseCaseImpl: DataCacheUseCase {
    public lazy var didChangeDataCache: AsyncThrowingStream<Void, Error> = .init {
      [dataCacheRepo, weak self] continuation in
      self?.didChangeDataCacheContinuation = continuation

      let task: Task = .init(probe: "forwarder") { [dataCacheRepo] in
        for try await value in await dataCacheRepo.didChangeDataCache {
          continuation.yield(value)
        }
      }

      continuation.onTermination = { termination in
        task.cancel()
      }
    }

    private let dataCacheRepo: DataCacheRepo
    private var didChangeDataCacheContinuation: AsyncThrowingStream<Void, Error>.Continuation?
    private let probe = Probe(DataCacheUseCaseImpl.self)

    init(dataCacheRepo: DataCacheRepo) { self.dataCacheRepo = dataCacheRepo }

    deinit {
      didChangeDataCacheContinuation?.finish()
    }
  }
  // snippet:end
}

extension DeinitFinish.DataCacheUseCaseImpl: DataCacheUseCaseUnderStudy {}
