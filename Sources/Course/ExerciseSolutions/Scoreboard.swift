import MemlabExercises
import MemlabKit

/// The scoreboard.
actor Scoreboard: ScoreboardUnderStudy {
  private var followers: [Int: AsyncStream<Int>.Continuation] = [:]
  private var lastNumber = 0
  private var latest: Int?
  private let probe = Probe(Scoreboard.self)

  /// The number of followers that would receive a score.
  var followerCount: Int { followers.count }

  /// A stream of scores for one more follower.
  func follow() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    lastNumber += 1
    let number = lastNumber
    followers[number] = continuation
    if let latest { continuation.yield(latest) }
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.remove(number) }
    }
    return stream
  }

  /// Shows a score to all followers.
  func show(_ score: Int) {
    latest = score
    for follower in followers.values { follower.yield(score) }
  }

  private func remove(_ number: Int) {
    followers[number] = nil
  }

  deinit {
    for follower in followers.values { follower.finish() }
  }
}
