// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/WeakSelfGuard.swift; renewed by 'make record'.

extension Listing {
  static let weakSelfGuardListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/AsyncStreamMemory/WeakSelfGuard.swift", line: 46,
      code: #"""
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
      """#),
  ]
}
