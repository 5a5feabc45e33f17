import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 13.
enum Wrong13: String, Mistakes {
  case none, asShipped, noLatest, everything, noDeinit, neverRemoves, strongSelf, unownedSelf
  case doubles, onlyFirst, finishes, exits, detached, noProbe, keepsNewest, shows, removesAll
  case countsAsNumbers, sharesList, sharesLatest, removesFirst, removesLast, purgesOnShow
  case keepsThree, sendsOldest, beginsWithZero, collects, unsafelyUnowned, locksList, finishesInTask

  static let all = solutions(
    of: ScoreboardJudge<Scoreboard>.exercise,
    [
      "Each follower gets the latest score at once, and every one after that.": [.asShipped],
      "Each follower gets the latest score at once": [
        .noLatest, .everything, .onlyFirst, .keepsNewest, .removesFirst, .removesLast, .keepsThree,
        .sendsOldest,
      ],
      "The board's deinit must finish the streams of those who wait.": [.noDeinit],
      "The board must know who follows it, and forget who has left.": [
        .neverRemoves, .purgesOnShow,
      ],
      "What holds the board from onTermination?": [.strongSelf, .detached],
      "the reference is weak": [.unownedSelf],
      "scoresRight should be": [.doubles, .finishes, .shows, .countsAsNumbers],
      "No Scoreboard was counted": [.noProbe],
      "The board must know who follows it": [.removesAll],
      "scoresRight should be 7": [.sharesList, .sharesLatest],
      "scoresRight should be 6": [.beginsWithZero],
    ], right: [.locksList, .finishesInTask])

  typealias Stream = AsyncStream<Int>.Continuation
  typealias Streams = [Int: Stream]

  nonisolated(unsafe) static var sharedList: Streams = [:]
  nonisolated(unsafe) static var lastShared = 0
  nonisolated(unsafe) static var latest: Int?
  nonisolated(unsafe) static var everyone: [AsyncStream<Int>.Continuation] = []

  actor Scoreboard: ScoreboardUnderStudy {
    private var ownFollowers: Streams = [:]
    private let list = LockedList<Stream>()
    private var followers: Streams {
      get { Self.chosen(ownFollowers, list) }
      set { if now == .sharesList { sharedList = newValue } else { ownFollowers = newValue } }
    }
    // `deinit` is not isolated, and cannot ask `followers`.
    private static func chosen(_ own: Streams, _ list: LockedList<Stream>) -> Streams {
      now == .sharesList ? sharedList : now == .locksList ? list.all : own
    }
    private var lastNumber = 0
    private var scores: [Int] = []
    private var shared: AsyncStream<Int>?
    private let probe = makeProbe(of: Scoreboard.self)

    var followerCount: Int { followers.count }

    func follow() -> AsyncStream<Int> {
      if now == .asShipped, let shared { return shared }
      let (stream, continuation) = AsyncStream<Int>.makeStream(
        bufferingPolicy: now == .keepsNewest
          ? .bufferingNewest(1) : now == .keepsThree ? .bufferingNewest(3) : .unbounded)
      if now == .collects { everyone.append(continuation) }
      if now == .beginsWithZero, scores.isEmpty { continuation.yield(0) }
      shared = stream
      lastNumber += 1
      lastShared += 1
      let number =
        now == .sharesList ? lastShared : now == .countsAsNumbers ? followers.count : lastNumber
      followers[number] = continuation
      if now == .locksList { list.set(continuation, number) }
      if now == .everything { for score in scores { continuation.yield(score) } }
      let score = now == .sendsOldest ? scores.first : now == .sharesLatest ? latest : scores.last
      if now != .noLatest, now != .everything, let score { continuation.yield(score) }
      listen(continuation, number)
      return stream
    }

    private func listen(_ continuation: AsyncStream<Int>.Continuation, _ number: Int) {
      switch now {
      case .neverRemoves, .purgesOnShow: break
      case .locksList: continuation.onTermination = { [list] _ in list.set(nil, number) }
      case .unsafelyUnowned:
        let board = Unsafely(self)
        continuation.onTermination = { _ in Task { await board.object?.remove(number) } }
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
      latest = score
      for (number, follower) in followers {
        if case .terminated = follower.yield(now == .shows ? 1 : score), now == .purgesOnShow {
          followers[number] = nil
        }
        if now == .doubles { follower.yield(score) }
        if now == .finishes { follower.finish() }
      }
    }

    private func remove(_ number: Int) {
      if now == .removesAll { followers = [:] }
      let first = followers.keys.min() ?? number
      let last = followers.keys.max() ?? number
      followers[now == .removesFirst ? first : now == .removesLast ? last : number] = nil
    }

    deinit {
      if now == .noDeinit { return }
      if now == .finishesInTask {
        Task { [ownFollowers] in for follower in ownFollowers.values { follower.finish() } }
        return
      }
      for follower in Self.chosen(ownFollowers, list).values { follower.finish() }
    }
  }
}
