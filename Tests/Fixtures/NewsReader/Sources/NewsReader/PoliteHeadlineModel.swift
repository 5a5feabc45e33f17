// snippet:fixed
/// The same, and it can go.
@MainActor public final class PoliteHeadlineModel {
  public private(set) var headlines: [String] = []
  private let feed: Feed
  private var task: Task<Void, Never>?

  public init(feed: Feed) { self.feed = feed }

  public func start() {
    task = Task { [weak self, feed] in
      for await headline in feed.headlines() { self?.headlines.append(headline) }
    }
  }

  deinit { task?.cancel() }
}
// snippet:end
