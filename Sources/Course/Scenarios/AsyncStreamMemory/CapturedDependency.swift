import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(of: CapturedDependency.DataCacheUseCaseImpl.self)

  /// `captured-dependency`: the task captures only the dependency.
  static let capturedDependency = Scenario(
    id: "captured-dependency", title: "the task captures only the dependency",
    document: .asyncStreamMemory, place: "step 3 of 5",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "No closure mentions self any more. Which of the two objects goes, which stays?",
    hint: "Count the tasks that are still alive, and look at what each has captured.",
    beliefs: [
      .nobody("The closure does not mention self any more."),
      .cycle("What stays alive after a drop is called a cycle, whatever holds it."),
      .variable(
        "The repository was made outside, and people assume that somebody there still refers to it."
      ),
    ], next: "on-termination", fixedBy: "deinit-finish",
    endings: [
      endings.cancel(
        expects: .dataCache(.leak, repo: .task("forwarder"), consumer: 1, forwarder: 0),
        explanation: "Nothing holds the use case any more. The forwarder still waits, and holds "
          + "the repository that it captured."
      )
      .claiming("the use case is released", original: "이렇게 하니 순환참조 문제는 해결됩니다!") {
        $0.object("DataCacheUseCaseImpl").alive == 0
      }
      .claiming("but the Task never ends", original: "하지만 `Task`가 영원히 끝나지 않는 또 다른 문제가 발생합니다.") {
        $0.task("forwarder").live == 1
      },
      endings.drop(
        expects: .dataCache(.leak, repo: .task("forwarder"), consumer: 0, forwarder: 0),
        explanation: "The owner is deinitialised, but nothing tells the two tasks."),
      endings.finish(
        expects: .dataCache(.leak, consumer: 0, forwarder: 1),
        explanation: "The forwarder ends with its source. It does not finish the stream that it "
          + "fed, so the consumer waits forever."),
    ])
}

/// The document's third listing.
enum CapturedDependency {
  // snippet:code
  public final class DataCacheUseCaseImpl: DataCacheUseCase {
    public lazy var didChangeDataCache: AsyncThrowingStream<Void, Error> = .init {
      [dataCacheRepo] continuation in
      Task(probe: "forwarder") { [dataCacheRepo] in
        for try await value in await dataCacheRepo.didChangeDataCache {
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

extension CapturedDependency.DataCacheUseCaseImpl: DataCacheUseCaseUnderStudy {}
