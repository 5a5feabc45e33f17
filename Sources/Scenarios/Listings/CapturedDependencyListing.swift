// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/CapturedDependency.swift; renewed by 'make record'.

extension Listing {
  static let capturedDependencyListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/CapturedDependency.swift", line: 46,
      code: #"""
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
      """#),
  ]
}
