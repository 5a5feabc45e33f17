// A scoreboard hands out one stream to all who follow it, so they share its scores out among them.
// Fix it so that each follower gets the latest score at once and every score after that, and so that
// those who still wait leave when the board is dropped. The board must forget who has left.

import MemlabKit

/// The scoreboard.
actor Scoreboard: ScoreboardUnderStudy {
  private let stream: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation
  private let probe = Probe(Scoreboard.self)

  /// The number of followers that would receive a score.
  var followerCount: Int { 1 }

  /// A board without a score.
  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// A stream of scores for one more follower.
  func follow() -> AsyncStream<Int> { stream }

  /// Shows a score to all followers.
  func show(_ score: Int) { continuation.yield(score) }
}
