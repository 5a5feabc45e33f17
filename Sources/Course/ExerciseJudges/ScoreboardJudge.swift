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

/// Exercise 13: a board and its followers.
package final class ScoreboardJudge<Board: ScoreboardUnderStudy>: Audience<Board, Int>, Judge {
  private var latest: [Int] = []

  override private init(_ lab: Lab) {
    super.init(lab)
    source = Board()
  }

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("two", received: 6) {
      for name in ["A", "B"] { try $0.follow(name) }
      try $0.show(3)
    }
    ending("late", received: 6) {
      try $0.follow("A")
      try $0.show(3)
      try $0.follow("B")
      try $0.show(1)
    }
    ending("leave", received: 7, followers: 0) {
      for name in ["A", "B"] { try $0.follow(name) }
      try $0.show(3)
      try $0.leave("B")
      try $0.show(1)
      try $0.leave("A")
    }
    ending("slow", received: 24) {
      let gate = Gate()
      try $0.follow("A")
      try $0.follow("B", readingAfter: gate)
      try $0.show(12)
      try $0.lab.step("follower B begins to read") { gate.open() }
    }
    ending("again", received: 9, names: ["follower A": 1, "follower B": 1, "follower C": 1]) {
      for name in ["A", "B"] { try $0.follow(name) }
      try $0.show(3)
      try $0.leave("A")
      try $0.follow("C")
      try $0.show(1)
    }
    // A list that all boards share shows the scores of one to the followers of the other.
    Ending(
      "boards", ["Scoreboard": 2], tasks: two,
      figures: ["scoresRight": 7, "followers": 2, "tasksLeft": 0]
    ) { lab in
      let (one, other) = (ScoreboardJudge(lab), ScoreboardJudge(lab))
      try one.show(2)
      try one.follow("A")
      try other.follow("B")
      try one.show(2)
      try other.show(3)
      lab.ledger.setMetric("followers", try one.count() + other.count())
      try one.drop("the board is dropped")
      try other.show(1)
      try close([other, one])
    }
  }

  private static func ending(
    _ name: String, received: Int, followers: Int = 2, names: KeyValuePairs<String, Int> = two,
    _ act: @escaping @Sendable (ScoreboardJudge) throws -> Void
  ) -> Ending {
    Ending(
      name, ["Scoreboard": 1], tasks: names,
      figures: ["scoresRight": received, "followers": followers, "tasksLeft": 0]
    ) { lab in
      let stage = ScoreboardJudge(lab)
      try act(stage)
      lab.ledger.setMetric("followers", try stage.count())
      try close([stage])
    }
  }

  private static var two: KeyValuePairs<String, Int> { ["follower A": 1, "follower B": 1] }

  private static func close(_ stages: [ScoreboardJudge]) throws {
    try close(stages, "the board is dropped", received: "scoresRight", left: "tasksLeft")
  }

  private func follow(_ name: String, readingAfter gate: Gate? = nil) throws {
    try listen("follower \(name)", "begins to follow", expecting: latest, after: gate) {
      await $0.follow()
    }
  }

  private func show(_ count: Int) throws {
    let scores = Secret.numbers(count)
    latest = Array(scores.suffix(1))
    try send(scores, count == 1 ? "a score is shown" : "\(count) scores are shown") {
      await $0.show($1)
    }
  }

  private func leave(_ name: String) throws {
    try leave(name == "A" ? 0 : 1, "follower \(name) leaves")
  }

  private func count() throws -> Int {
    try count("the followers are counted") { await $0.followerCount }
  }
}
