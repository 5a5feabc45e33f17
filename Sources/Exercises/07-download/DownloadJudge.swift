import MemlabKit

/// What the judge needs of a screen.
package protocol ScreenUnderStudy: AnyObject {
  /// Whether it was told that its download is done.
  var isDone: Bool { get }
  /// A screen that has not started its download.
  init()
  /// Starts the download.
  func load()
  /// Plays the network: the last bytes have arrived.
  func bytesArrive()
}

extension Exercise {
  /// Exercise 07, judging this screen.
  package static func download<Screen: ScreenUnderStudy>(_ type: Screen.Type) -> Exercise {
    Exercise(
      number: "07", title: "a download and the screen that waits for it",
      lesson: "07-delegates-and-observers", file: "07-download/Download.swift",
      hint: "A delegate is a reference back to the owner. Which kind of reference should that be?",
      figures: ["heard": "is 1 if the screen is done after the last bytes have arrived."],
      endings: [
        Ending(
          "done", "the download finishes, then the screen is dropped",
          expects: solved(heard: 1),
          explanation: "The screen was told, and both are "
            + "deinitialised."
        ) { lab in
          var screen: Screen?
          try lab.step("a screen starts its download") { screen = start() }
          try lab.step("the last bytes arrive") { screen?.bytesArrive() }
          lab.ledger.setMetric("heard", screen?.isDone == true ? 1 : 0)
          try lab.release("the screen is dropped") { screen = nil }
          withExtendedLifetime(screen) {}
        },
        Ending(
          "early", "the screen is dropped while it loads",
          expects: solved(heard: nil), explanation: "Nothing is left to be told."
        ) { lab in
          var screen: Screen?
          try lab.step("a screen starts its download") { screen = start() }
          try lab.release("the screen is dropped") { screen = nil }
          withExtendedLifetime(screen) {}
        },
      ])
  }

  private static func start<Screen: ScreenUnderStudy>() -> Screen {
    let screen = Screen()
    screen.load()
    return screen
  }

  private static func solved(heard: Int?) -> Declaration {
    Declaration(
      .clean,
      objects: [
        ObjectCount("Screen", created: 1, deinitialized: 1),
        ObjectCount("Download", created: 1, deinitialized: 1),
      ], metrics: heard.map { ["heard": $0] } ?? [:])
  }
}
