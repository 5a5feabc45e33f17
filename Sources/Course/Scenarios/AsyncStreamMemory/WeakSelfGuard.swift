import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(of: WeakSelfGuard.DataCacheUseCaseImpl.self)

  /// `weak-self-guard`: weak self, made strong again before the loop.
  static let weakSelfGuard = Scenario(
    id: "weak-self-guard", title: "weak self, made strong again before the loop",
    document: .asyncStreamMemory, place: "step 2 of 5",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "Both closures now say [weak self]. How many of the two objects are deinitialised?",
    hint: "What kind of variable is the self that the guard makes, and when does its scope end?",
    beliefs: [
      .nobody("The closure says [weak self], and people stop reading there."),
      .cycle(
        "The document speaks of strong references to self, and people know those from cycles."),
    ], next: "captured-dependency", fixedBy: "deinit-finish",
    endings: [
      endings.cancel(
        expects: .dataCache(
          .leak, useCase: .task("forwarder"), repo: .useCase, consumer: 1, forwarder: 0),
        explanation: "The guard makes a strong local variable. It lives as long as the function "
          + "that uses it, and this loop never ends."
      )
      .claiming(
        "guard let self takes a strong reference and the Task never ends, so nothing is solved",
        original:
          "`guard let self = self else { return }`에서 self를 strong 참조를 하게 되고, Task는 영원히 끝나지 않기 때문에 "
          + "순환참조가 해결되지 않습니다"
      ) { $0.object("DataCacheUseCaseImpl").alive == 1 && $0.task("forwarder").live == 1 },
      endings.drop(
        expects: .dataCache(
          .leak, useCase: .task("forwarder"), repo: .useCase, consumer: 0, forwarder: 0),
        explanation: "The same as with a strong capture: the weak reference became a strong one "
          + "before the wait began."),
      endings.finish(
        expects: .dataCache(.leak, consumer: 0, forwarder: 1),
        explanation: "The forwarder ends with its source, and its local self with it. Nothing "
          + "tells the consumer."),
    ])
}

/// The document's second listing.
enum WeakSelfGuard {
  // snippet:code
  public final class DataCacheUseCaseImpl: DataCacheUseCase {
    public lazy var didChangeDataCache: AsyncThrowingStream<Void, Error> = .init {
      [weak self] continuation in
      Task(probe: "forwarder") { [weak self] in
        guard let self = self else { return }
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

extension WeakSelfGuard.DataCacheUseCaseImpl: DataCacheUseCaseUnderStudy {}
