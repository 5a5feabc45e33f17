package import MemlabKit

/// What the judge needs of a scoreboard.
package protocol ScoreboardUnderStudy: Actor {
  /// The number of followers that would receive a score.
  var followerCount: Int { get }
  /// A board without a score.
  init()
  /// A stream of scores for one more follower.
  func follow() -> AsyncStream<Int>
  /// Shows a score to all followers.
  func show(_ score: Int)
}

extension Exercise {
  /// Exercise 13, judging this board.
  package static func scoreboard<Board: ScoreboardUnderStudy>(_ type: Board.Type) -> Exercise {
    Exercise(
      number: "13",
      endings: [
        ending(type, "two", "two follow from the start", received: 6, followers: 2) { stage in
          try stage.follow("follower A")
          try stage.follow("follower B")
          try stage.show(3)
        },
        ending(type, "late", "one of two follows later", received: 6, followers: 2) { stage in
          try stage.follow("follower A")
          try stage.show(3)
          try stage.follow("follower B")
          try stage.show(1)
        },
        ending(type, "leave", "the second of two leaves, then the first", received: 7, followers: 0)
        { stage in
          try stage.follow("follower A")
          try stage.follow("follower B")
          try stage.show(3)
          try stage.leave("B", 1)
          try stage.show(1)
          try stage.leave("A", 0)
        },
        ending(
          type, "slow", "one of two begins to read when twelve scores are there", received: 24,
          followers: 2
        ) { stage in
          let gate = Gate()
          try stage.follow("follower A")
          try stage.follow("follower B", readingAfter: gate)
          try stage.show(12)
          try stage.lab.step("follower B begins to read") { gate.open() }
        },
        ending(
          type, "again", "the first of two leaves, and a third follows", received: 9, followers: 2,
          names: ["follower A": 1, "follower B": 1, "follower C": 1]
        ) { stage in
          try stage.follow("follower A")
          try stage.follow("follower B")
          try stage.show(3)
          try stage.leave("A", 0)
          try stage.follow("follower C")
          try stage.show(1)
        },
        twoBoards(type),
      ])
  }

  private static func ending<Board: ScoreboardUnderStudy>(
    _ type: Board.Type, _ name: String, _ title: String, received: Int, followers: Int,
    names: KeyValuePairs<String, Int> = ["follower A": 1, "follower B": 1],
    _ act: @escaping @Sendable (ScoreboardStage<Board>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: .solved(
        ["Scoreboard": 1], tasks: names,
        ["scoresRight": received, "followers": followers, "tasksLeft": 0]),
      explanation: "Nobody misses a score, and nobody waits for a board that is gone."
    ) { lab in
      let stage = ScoreboardStage<Board>(lab)
      try act(stage)
      lab.ledger.setMetric("followers", try stage.count())
      try stage.drop()
      stage.compare([stage])
    }
  }

  // A list that all boards share shows the scores of one to the followers of the other.
  private static func twoBoards<Board: ScoreboardUnderStudy>(_ type: Board.Type) -> Ending {
    Ending(
      "boards", "two boards have a follower each, and the first is dropped",
      expects: .solved(
        ["Scoreboard": 2], tasks: ["follower A": 1, "follower B": 1],
        ["scoresRight": 7, "followers": 2, "tasksLeft": 0]),
      explanation: "Each board has followers and scores of its own."
    ) { lab in
      let (one, other) = (ScoreboardStage<Board>(lab), ScoreboardStage<Board>(lab))
      try one.show(2)
      try one.follow("follower A")
      try other.follow("follower B")
      try one.show(2)
      try other.show(3)
      lab.ledger.setMetric("followers", try one.count() + other.count())
      try one.drop()
      try other.show(1)
      try other.drop()
      one.compare([one, other])
    }
  }
}

/// A board and followers that hold only their streams.
private final class ScoreboardStage<Board: ScoreboardUnderStudy> {
  let lab: Lab
  private var board: Board? = Board()
  private var followers: [Listener<Int>] = []
  private var latest: Int?

  init(_ lab: Lab) { self.lab = lab }

  func follow(_ name: String, readingAfter gate: Gate? = nil) throws {
    let follower = Listener(expecting: latest.map { [$0] } ?? [])
    followers.append(follower)
    try lab.step("\(name) begins to follow") {
      guard let board else { return }
      follower.listen(name, after: gate) { await board.follow() }
    }
  }

  func show(_ count: Int) throws {
    let scores = Secret.numbers(count)
    latest = scores.last
    for follower in followers where !follower.hasLeft { follower.expected += scores }
    try lab.step(count == 1 ? "a score is shown" : "\(count) scores are shown") {
      tell { board in for score in scores { await board.show(score) } }
    }
  }

  func leave(_ name: String, _ place: Int) throws {
    followers[place].expectNoMore()
    try lab.release("follower \(name) leaves") { followers[place].leave() }
  }

  func count() throws -> Int {
    let count = Seen<Int>()
    try lab.step("the followers are counted") { tell { count.add(await $0.followerCount) } }
    return count.all.last ?? -1
  }

  func drop() throws { try lab.release("the board is dropped") { board = nil } }

  func compare(_ all: [ScoreboardStage]) {
    lab.ledger.setMetric("tasksLeft", lab.ledger.totals.liveTasks)
    lab.ledger.setMetric("scoresRight", all.flatMap(\.followers).reduce(0) { $0 + $1.right })
  }

  private func tell(_ action: @escaping @Sendable (Board) async -> Void) {
    guard let board else { return }
    Task { await action(board) }
  }
}
