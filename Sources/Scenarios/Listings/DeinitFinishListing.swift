// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/DeinitFinish.swift; renewed by 'make record'.

extension Listing {
  static let deinitFinishListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/DeinitFinish.swift", line: 44,
      code: #"""
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
      """#),
  ]
}
