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

extension Exercise {
  /// Exercise 07, judging this screen.
  package static func download<Screen: ScreenUnderStudy>(_ type: Screen.Type) -> Exercise {
    Exercise(
      number: "07",
      endings: [
        ending(
          type, "done", "the download finishes, then the screen is dropped",
          ["early": 0, "heard": 1], explanation: "The screen was told, and both are deinitialised."
        ) { [$0.start, $0.finish, $0.drop, $0.forget] },
        ending(
          type, "abandoned", "the screen is dropped while it loads, and the download with it",
          ["early": 0], explanation: "Nothing is left to be told."
        ) { [$0.start, $0.forget, $0.drop] },
        ending(
          type, "late", "the screen is dropped, then the last bytes arrive",
          ["early": 0, "screensLeft": 0],
          explanation: "The download finishes, and there is nobody to tell."
        ) { [$0.start, $0.drop, $0.countScreens, $0.finish, $0.forget] },
        two(type),
      ])
  }

  private static func ending<Screen: ScreenUnderStudy>(
    _ type: Screen.Type, _ name: String, _ title: String, _ figures: [Metric: Int],
    explanation: String, steps: @escaping (DownloadStage<Screen>) -> [() throws -> Void]
  ) -> Ending {
    Ending(
      name, title, expects: .solved(["Screen": 1, "Download": 1], figures), explanation: explanation
    ) { lab in for step in steps(DownloadStage(Screen.self, lab)) { try step() } }
  }

  // A delegate that all downloads share is the wrong screen for one of them.
  private static func two<Screen: ScreenUnderStudy>(_ type: Screen.Type) -> Ending {
    Ending(
      "two", "two screens load, and the first download finishes, then the other",
      expects: .solved(["Screen": 2, "Download": 2], ["early": 0, "heard": 2]),
      explanation: "Each download tells its own screen."
    ) { lab in
      let stages = [DownloadStage(Screen.self, lab), DownloadStage(Screen.self, lab)]
      var heard = 0
      for stage in stages { try stage.start() }
      for (place, stage) in stages.enumerated() {
        try stage.lab.step("the last bytes arrive") { stage.callBack() }
        if stages.map(\.isDone) == [true, place == 1] { heard += 1 }
      }
      lab.ledger.setMetric("heard", heard)
      for stage in stages {
        try stage.drop()
        stage.forget()
      }
    }
  }
}

/// A screen, and the network that keeps what it was given.
private final class DownloadStage<Screen: ScreenUnderStudy> {
  let lab: Lab
  private var screen: Screen?
  private var lastBytes: (() -> Void)?

  init(_ type: Screen.Type, _ lab: Lab) { self.lab = lab }

  func start() throws {
    try lab.step("a screen starts its download") {
      let screen = Screen()
      lastBytes = screen.load()
      self.screen = screen
    }
    lab.ledger.setMetric("early", isDone ? 1 : 0)
  }

  var isDone: Bool { screen?.isDone == true }

  func callBack() { lastBytes?() }

  func finish() throws {
    try lab.step("the last bytes arrive") { callBack() }
    if let screen { lab.ledger.setMetric("heard", screen.isDone ? 1 : 0) }
  }

  func drop() throws { try lab.release("the screen is dropped") { screen = nil } }

  func countScreens() {
    lab.ledger.setMetric("screensLeft", lab.ledger.totals.object("Screen").alive)
  }

  func forget() { lastBytes = nil }
}
