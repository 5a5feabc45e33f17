package import MemlabKit
package import MemlabReports
import MemlabTerminalText

/// `memlab walk <scenario>`: predict, then go through a run step by step, forward and back.
enum WalkCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    let exercises =
      app.course == nil ? "" : "\n\n'\(app.name) exercise walk 01' does the same with an exercise."
    return CommandSpec(
      "walk",
      abstract: "Predict, then walk through a run step by step.",
      discussion: """
        Asks for predictions before it shows anything of an ending's run, and then shows after each \
        step what is alive, who holds it, and where tasks wait. Predictions are compared with what is measured, and kept \
        nowhere.

          Enter, space, →   the next step
          b, ←              the step before
          e                 the next ending
          q                 quit

        Where there is no terminal, or with --all, it prints all steps one after another.\
        \(exercises)
        """,
      arguments: [
        ArgumentSpec("scenario", help: "The scenario to walk through.", values: .scenario)
      ],
      options: [
        .option(
          "ending", valueName: "name", help: "Walk through this ending only.",
          values: .ending),
        .option(
          "predict", valueName: "counts",
          help: "Predict instead of being asked: deinitialised=<n>,live=<n>,held=<cause>, or "
            + "any of them; a cause is \(Cause.allCases.map(\.rawValue).joined(separator: ", ")); "
            + "'drop:live=<n>' is for the ending drop alone.",
          isRepeating: true),
        .flag("all", help: "Print all steps without stopping."),
        .scheduler, .requireHeap, .color,
      ])
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let endings = try invocation.ending(of: scenario).map { [$0] } ?? scenario.endings
    let predictions = try Predictions(invocation, for: endings)
    let request = MeasurementRequest(.everyStep(), invocation, onDemand: true)
    let measurements = try EndingMeasurements(
      endings.map { (scenario, $0) }, request, in: session)
    try measurements.writeRemark(in: session)
    let isAsDeclared = try session.walker(for: invocation, predictions).show(
      scenario, endings, program: invocation.program
    ) { _ in try measurements.film(in: session).get() }
    return isAsDeclared ? .success : .unexpected
  }
}

/// Shows a walk, in one way or another.
package protocol Walker {
  /// Shows one ending.
  ///
  /// - Returns: whether to go on with the next.
  func show(_ walk: Walk) throws -> Bool
}

extension Walker {
  /// Shows endings one after the other, until the reader has enough.
  ///
  /// - Parameter film: films an ending; nil where there is nothing to show.
  /// - Returns: whether all were filmed, and are as expected.
  /// - Throws: what filming or showing one throws.
  package func show(
    _ scenario: Scenario, _ endings: [Ending], program: String, film: (Ending) throws -> Film?
  ) throws -> Bool {
    var isAsExpected = true
    var before: TrialReport?
    for (index, ending) in endings.enumerated() {
      guard let film = try film(ending) else {
        (isAsExpected, before) = (false, nil)
        continue
      }
      isAsExpected = isAsExpected && film.report.asExpected
      var walk = Walk(
        scenario, ending, film, program: program, place: (index + 1, endings.count))
      (walk.before, before) = (before, film.report)
      guard try show(walk) else { break }
    }
    return isAsExpected
  }
}

extension Session {
  /// What shows walks: page by page on a terminal, all at once elsewhere or with `--all`.
  package func walker(for invocation: Invocation, _ predictions: Predictions) -> any Walker {
    let terminal = terminal(for: invocation)
    return !invocation.flag("all") && isWalkable(terminal)
      ? WalkScreen(session: self, terminal: terminal, predictions: predictions)
      : WalkPrinter(output: output, terminal: terminal, predictions: predictions)
  }

  /// Whether keys can be read and pages be drawn.
  fileprivate func isWalkable(_ terminal: Terminal) -> Bool {
    let kind = SystemCalls.environment("TERM") ?? ""
    return terminal.isInteractive && SystemCalls.isTerminal(0) && !kind.isEmpty && kind != "dumb"
  }
}
