// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/AsyncStreamMemory/DataCache.swift; renewed by 'make record'.

extension Listing {
  static let dataCacheListing: [Listing] = [
    Listing(
      "protocols", path: "Sources/Scenarios/AsyncStreamMemory/DataCache.swift", line: 4,
      code: #"""
      protocol DataCacheRepo {
        var didChangeDataCache: AsyncThrowingStream<Void, Swift.Error> { get async }
      }

      public protocol DataCacheUseCase {
        var didChangeDataCache: AsyncThrowingStream<Void, Swift.Error> { get async }
      }
      """#),
  ]
}
