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
      number: "13", title: "a scoreboard whose followers miss scores",
      lesson: "03-one-stream-many-consumers", file: "13-scoreboard/Scoreboard.swift",
      hint: "Each value of an AsyncStream goes to one of those who read it. So each follower needs "
        + "a stream of its own. 'memlab compare shared-stream-split broadcast-stream' shows the "
        + "difference.",
      secondHint:
        "Keep a dictionary of continuations and the latest score. follow() makes a stream, "
        + "yields the latest score if there is one, and sets onTermination to a closure with "
        + "[weak self] that removes the continuation in a task. deinit finishes all that are left.",
      figures: [
        "scoresRight": "is how many scores all followers together received, each in order.",
        "followers": "is the followerCount just before the board is dropped.",
        "tasksLeft": "is how many followers were still waiting after the board was dropped.",
      ],
      advice: [
        "scoresRight": "Each follower gets the latest score at once, and every one after that.",
        "followers": "The board must know who follows it, and forget who has left.",
        "tasksLeft": "The board's deinit must finish the streams of those who wait.",
        "Scoreboard": "What holds the board from onTermination?",
      ],
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
        ending(type, "leave", "one of two leaves", received: 7, followers: 1) { stage in
          try stage.follow("follower A")
          try stage.follow("follower B")
          try stage.show(3)
          try stage.leave()
          try stage.show(1)
        },
        ending(
          type, "again", "one of two leaves, and a third follows", received: 9, followers: 2,
          names: ["follower A", "follower B", "follower C"]
        ) { stage in
          try stage.follow("follower A")
          try stage.follow("follower B")
          try stage.show(3)
          try stage.leave()
          try stage.follow("follower C")
          try stage.show(1)
        },
      ])
  }

  private static func ending<Board: ScoreboardUnderStudy>(
    _ type: Board.Type, _ name: String, _ title: String, received: Int, followers: Int,
    names: [String] = ["follower A", "follower B"],
    _ act: @escaping @Sendable (ScoreboardStage<Board>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: Declaration(
        .clean, objects: [ObjectCount("Scoreboard", created: 1, deinitialized: 1)],
        tasks: names.map { TaskCount($0, started: 1, finished: 1) },
        metrics: ["scoresRight": received, "followers": followers, "tasksLeft": 0]),
      explanation: "Nobody misses a score, and nobody waits for a board that is gone."
    ) { lab in
      let stage = ScoreboardStage<Board>(lab)
      try act(stage)
      try stage.close()
    }
  }
}

/// A board and followers that hold only their streams.
private final class ScoreboardStage<Board: ScoreboardUnderStudy> {
  private final class Follower {
    let seen = Seen<Int>()
    var expected: [Int] = []
    var task: Task<Void, Never>?
    var hasLeft = false
  }

  private let lab: Lab
  private var board: Board? = Board()
  private var followers: [Follower] = []
  private var latest: Int?

  init(_ lab: Lab) { self.lab = lab }

  func follow(_ name: String) throws {
    let follower = Follower()
    followers.append(follower)
    follower.expected = latest.map { [$0] } ?? []
    try lab.step("\(name) begins to follow") {
      guard let board else { return }
      let stream = Task { await board.follow() }
      follower.task = Task(probe: name) { [seen = follower.seen] in
        for await score in await stream.value {
          Ledger.current?.note("received")
          seen.add(score)
        }
      }
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

  func leave() throws {
    followers.first?.hasLeft = true
    try lab.release("follower A leaves") { followers.first?.task?.cancel() }
  }

  func close() throws {
    let count = Seen<Int>()
    try lab.step("the followers are counted") { tell { count.add(await $0.followerCount) } }
    lab.ledger.setMetric("followers", count.all.last ?? -1)
    try lab.release("the board is dropped") { board = nil }
    lab.ledger.setMetric("tasksLeft", lab.ledger.totals.liveTasks)
    lab.ledger.setMetric(
      "scoresRight", followers.reduce(0) { $0 + $1.seen.right(of: $1.expected) })
  }

  private func tell(_ action: @escaping @Sendable (Board) async -> Void) {
    guard let board else { return }
    Task { await action(board) }
  }
}
