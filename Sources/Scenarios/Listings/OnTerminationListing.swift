// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/OnTermination.swift; renewed by 'make record'.

extension Listing {
  static let onTerminationListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/OnTermination.swift", line: 49,
      code: #"""
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
      """#),
  ]
}
