// snippet:leaking
/// What the screen shows.
@MainActor public final class HeadlineModel {
  public private(set) var headlines: [String] = []
  private let feed: Feed
  private var task: Task<Void, Never>?

  public init(feed: Feed) { self.feed = feed }

  public func start() {
    task = Task { [weak self] in
      guard let self else { return }
      for await headline in feed.headlines() { headlines.append(headline) }
    }
  }

  deinit { task?.cancel() }
}
// snippet:end
