// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/StrongSelf.swift; renewed by 'make record'.

extension Listing {
  static let strongSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/StrongSelf.swift", line: 56,
      code: #"""
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
      """#),
  ]
}
