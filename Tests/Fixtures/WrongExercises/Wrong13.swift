import Exercises
import MemlabKit

/// Wrong solutions of exercise 13.
enum Wrong13: String, Mistakes {
  case none, asShipped, noLatest, everything, noDeinit, neverRemoves, strongSelf, unownedSelf,
    doubles
  case onlyFirst, finishes, exits, detached, noProbe, keepsNewest, shows, removesAll
  case countsAsNumbers

  nonisolated(unsafe) static var now = Wrong13.none

  static let all = solutions(
    of: .scoreboard(Scoreboard.self),
    [
      .asShipped: "Each follower gets the latest score at once, and every one after that.",
      .noLatest: "Each follower gets the latest score at once",
      .everything: "Each follower gets the latest score at once",
      .noDeinit: "The board's deinit must finish the streams of those who wait.",
      .neverRemoves: "The board must know who follows it, and forget who has left.",
      .strongSelf: "What holds the board from onTermination?",
      .unownedSelf: "the reference is weak",
      .doubles: "scoresRight should be",
      .onlyFirst: "Each follower gets the latest score at once",
      .finishes: "scoresRight should be",
      .exits: "Your code ended the process, with code 0",
      .detached: "What holds the board from onTermination?",
      .noProbe: "No Scoreboard was counted",
      .keepsNewest: "Each follower gets the latest score at once",
      .shows: "scoresRight should be",
      .removesAll: "The board must know who follows it",
      .countsAsNumbers: "scoresRight should be",
    ]
  ) { now = $0 }

  actor Scoreboard: ScoreboardUnderStudy {
    private var followers: [Int: AsyncStream<Int>.Continuation] = [:]
    private var lastNumber = 0
    private var scores: [Int] = []
    private var shared: AsyncStream<Int>?
    private let probe: Probe? = now == .noProbe ? nil : Probe(Scoreboard.self)

    var followerCount: Int { followers.count }

    func follow() -> AsyncStream<Int> {
      if now == .asShipped, let shared { return shared }
      let (stream, continuation) = AsyncStream<Int>.makeStream(
        bufferingPolicy: now == .keepsNewest ? .bufferingNewest(1) : .unbounded)
      shared = stream
      lastNumber += 1
      let number = now == .countsAsNumbers ? followers.count : lastNumber
      followers[number] = continuation
      if now == .everything { for score in scores { continuation.yield(score) } }
      if now != .noLatest, now != .everything, let latest = scores.last {
        continuation.yield(latest)
      }
      listen(continuation, number)
      return stream
    }

    private func listen(_ continuation: AsyncStream<Int>.Continuation, _ number: Int) {
      switch now {
      case .neverRemoves: break
      case .strongSelf: continuation.onTermination = { _ in Task { await self.remove(number) } }
      case .detached:
        continuation.onTermination = { _ in Task.detached { await self.remove(number) } }
      case .unownedSelf:
        // `[unowned self]` twice crashes the compiler of Swift 6.2.
        continuation.onTermination = { [unowned board = self] _ in
          Task { [unowned board] in await board.remove(number) }
        }
      default:
        continuation.onTermination = { [weak self] _ in
          Task { [weak self] in await self?.remove(number) }
        }
      }
    }

    func show(_ score: Int) {
      if now == .exits { Sabotage.leave() }
      if now == .onlyFirst, !scores.isEmpty { return }
      scores.append(score)
      for follower in followers.values {
        follower.yield(now == .shows ? 1 : score)
        if now == .doubles { follower.yield(score) }
        if now == .finishes { follower.finish() }
      }
    }

    private func remove(_ number: Int) {
      if now == .removesAll { followers = [:] }
      followers[number] = nil
    }

    deinit {
      if now == .noDeinit { return }
      for follower in followers.values { follower.finish() }
    }
  }
}
