import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(of: OnTermination.DataCacheUseCaseImpl.self)

  /// `on-termination`: onTermination cancels the forwarding task.
  static let onTermination = Scenario(
    id: "on-termination", title: "onTermination cancels the forwarding task",
    document: .asyncStreamMemory, place: "step 4 of 5",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "The stream now cancels its forwarder when it terminates. Is everything released?",
    hint: "What makes a stream terminate? Is the end of its owner among the reasons?",
    beliefs: [
      .nobody(
        "The stream cancels its forwarder when it terminates, and people assume that it terminates."
      ), .cycle("A handler that holds a task looks like a circle."),
    ], next: "deinit-finish", fixedBy: "deinit-finish",
    endings: [
      endings.cancel(
        expects: .dataCache(.clean, consumer: 1, forwarder: 1),
        explanation: "Cancelling the consumer terminates its stream, onTermination cancels the "
          + "forwarder, and the forwarder releases the repository."
      )
      .claiming(
        "when the AsyncThrowingStream has ended, the task can be made to end too",
        original: "`AsyncThrowingStream` (또는 `AsyncStream`)이 끝났을 때 `task`도 끝나게 할 수 있습니다"
      ) { $0.task("forwarder").live == 0 },
      endings.drop(
        expects: .dataCache(.leak, repo: .task("forwarder"), consumer: 0, forwarder: 0),
        explanation: "The owner is deinitialised, but its stream does not terminate: the consumer "
          + "still iterates it, so onTermination is never called."
      )
      .claiming(
        "another problem is left, because dataCacheRepo is held strongly",
        original: "또 다른 문제가 발생합니다. `dataCacheRepo`를 strong으로 잡고 있기 때문인데요"
      ) { $0.object("DataCacheRepoImpl").alive == 1 },
      endings.finish(
        expects: .dataCache(.leak, consumer: 0, forwarder: 1),
        explanation: "onTermination reports the end upstream only. Downstream, nothing finishes "
          + "the consumer's stream when the forwarder's loop is over."),
    ])
}

/// The document's fourth listing.
enum OnTermination {
  // snippet:code
  public final class DataCacheUseCaseImpl: DataCacheUseCase {
    public lazy var didChangeDataCache: AsyncThrowingStream<Void, Error> = .init {
      [dataCacheRepo] continuation in
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
    private let probe = Probe(DataCacheUseCaseImpl.self)

    init(dataCacheRepo: DataCacheRepo) { self.dataCacheRepo = dataCacheRepo }
  }
  // snippet:end
}

extension OnTermination.DataCacheUseCaseImpl: DataCacheUseCaseUnderStudy {}
