package import MemlabKit

/// What the judge needs of a screen.
package protocol ScreenUnderStudy: AnyObject {
  /// Whether it was told that its download is done.
  var isDone: Bool { get }
  /// A screen that has not started its download.
  init()
  /// Starts the download.
  ///
  /// - Returns: what the network keeps, and calls when the last bytes have arrived.
  func load() -> () -> Void
}

/// Exercise 07: a screen, and the network that keeps what it was given.
package final class DownloadJudge<Screen: ScreenUnderStudy>: JudgeStage, Judge {
  private var screen: Screen?
  private var lastBytes: (() -> Void)?

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("done", ["early": 0, "heard": 1]) { [$0.start, $0.finish, $0.drop, $0.forget] }
    ending("abandoned", ["early": 0]) { [$0.start, $0.forget, $0.drop] }
    ending("late", ["early": 0, "screensLeft": 0]) {
      [$0.start, $0.drop, $0.countScreens, $0.finish, $0.forget]
    }
    // A delegate that all downloads share is the wrong screen for one of them.
    Ending("two", ["Screen": 2, "Download": 2], figures: ["early": 0, "heard": 2]) { lab in
      let stages = [DownloadJudge(lab), DownloadJudge(lab)]
      var heard = 0
      for stage in stages { try stage.start() }
      for (place, stage) in stages.enumerated() {
        try lab.step("the last bytes arrive") { stage.lastBytes?() }
        if stages.map(\.isDone) == [true, place == 1] { heard += 1 }
      }
      lab.ledger.setMetric("heard", heard)
      for stage in stages {
        try stage.drop()
        stage.forget()
      }
    }
  }

  private static func ending(
    _ name: String, _ figures: [Metric: Int], steps: @escaping Steps<DownloadJudge>
  ) -> Ending {
    Ending(
      name, ["Screen": 1, "Download": 1], figures: figures, on: DownloadJudge.init, steps: steps)
  }

  private func start() throws {
    try lab.step("a screen starts its download") {
      let screen = Screen()
      lastBytes = screen.load()
      self.screen = screen
    }
    lab.ledger.setMetric("early", isDone ? 1 : 0)
  }

  private var isDone: Bool { screen?.isDone == true }

  private func finish() throws {
    try lab.step("the last bytes arrive") { lastBytes?() }
    if let screen { lab.ledger.setMetric("heard", screen.isDone ? 1 : 0) }
  }

  private func drop() throws { try lab.release("the screen is dropped") { screen = nil } }

  private func countScreens() {
    lab.ledger.setMetric("screensLeft", lab.ledger.totals.object("Screen").alive)
  }

  private func forget() { lastBytes = nil }
}
