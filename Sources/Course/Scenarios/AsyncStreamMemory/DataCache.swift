import MemlabKit

// snippet:protocols
protocol DataCacheRepo {
  var didChangeDataCache: AsyncThrowingStream<Void, Swift.Error> { get async }
}

public protocol DataCacheUseCase {
  var didChangeDataCache: AsyncThrowingStream<Void, Swift.Error> { get async }
}
// snippet:end
