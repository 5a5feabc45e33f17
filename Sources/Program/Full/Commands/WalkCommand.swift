package import MemlabCLI
package import MemlabKit
package import MemlabReports
import MemlabTerminalText
package import MemlabWalk

/// `memlab walk <scenario>`: predict, then go through a run step by step, forward and back.
enum WalkCommand: Command {
  static let measuresMany = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let endings = try invocation.endings(among: scenario.endings)
    let predictions = try Predictions(invocation, for: endings)
    let request = MeasurementRequest(.everyStep(), invocation, onDemand: true)
    let measurements = try EndingMeasurements(endings.map { (scenario, $0) }, request, in: session)
    try session.note(measurements.remark)
    let isAsDeclared = try session.walker(for: invocation, predictions).show(
      scenario, endings, program: invocation.program, recorded: session.recorded(scenario)
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
  /// - Parameters:
  ///   - recorded: what stands in where the heap is not read.
  ///   - film: films an ending; nil where there is nothing to show.
  /// - Returns: whether all were filmed, and are as expected.
  /// - Throws: what filming or showing one throws.
  package func show(
    _ scenario: Scenario, _ endings: [Ending], program: String, recorded: RecordedChains? = nil,
    film: (Ending) throws -> Film?
  ) throws -> Bool {
    var isAsExpected = true
    var before: TrialReport?
    for (index, ending) in endings.enumerated() {
      guard let film = try film(ending) else {
        (isAsExpected, before) = (false, nil)
        continue
      }
      isAsExpected = isAsExpected && film.report.asExpected
      var walk = Walk(scenario, ending, film, program: program, place: (index + 1, endings.count))
      (walk.recorded, walk.before, before) = (recorded, before, film.report)
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

/// Shows a walk page by page on a terminal, forward and back as keys are pressed.
struct WalkScreen: Walker {
  /// What runs the scenarios.
  let session: Session
  /// Where the pages are shown.
  let terminal: Terminal
  /// What the reader has predicted.
  let predictions: Predictions

  func show(_ walk: Walk) throws -> Bool {
    guard let prediction = try predictions[walk.ending] ?? ask(walk) else { return false }
    let wayOut = try turnPages(walk, prediction)
    if wayOut == .finished {
      try write(WalkResult(walk, prediction, width: terminal.width).summary + [""])
      if predictions[walk.ending] == nil {
        try PredictionDialog(output: session.output, width: terminal.width).askCut(about: walk)
        try session.keep(prediction, about: walk, for: terminal)
        if let belief = prediction.belief(about: walk) { try askAgain(belief, after: walk) }
      }
    }
    return wayOut != .quit && walk.hasNext
  }

  /// Asks about another pattern that the same belief is wrong about, once.
  private func askAgain(_ belief: BeliefRule, after walk: Walk) throws {
    guard let next = try session.transfer(of: belief, after: walk) else { return }
    try session.output.write(
      "One question more, about another pattern: would the same belief be right there? (Enter) ")
    guard let line = readLine(), line != "q" else { return }
    try session.output.write(control: RawTerminal.clear)
    guard let prediction = try ask(next) else { return }
    try write(WalkResult(next, prediction, width: terminal.width).summary + [""])
    try session.keep(prediction, about: next, for: terminal)
  }

  /// How the reader left the pages of an ending.
  private enum WayOut { case finished, skipped, quit }

  // Where not all questions have room below the code, each has a screen of its own.
  private func ask(_ walk: Walk) throws -> Prediction? {
    let size = RawTerminal.size(of: session.output, fallback: terminal.width)
    let opening = walk.opening(width: size.columns)
    let code = CodeWindow(walk, nil, width: size.columns)
    // An empty line before the code, one behind it, and one for what is typed.
    let room = size.rows - opening.count - 3
    var (isFirst, linesLeft) = (true, 0)
    let dialog = PredictionDialog(output: session.output, width: size.columns)
    return try dialog.ask(about: walk) { height, allHeights in
      defer { linesLeft -= height }
      guard linesLeft < allHeights else { return }
      if !isFirst { try session.output.write(control: RawTerminal.clear) }
      isFirst = false
      linesLeft = room - allHeights >= Self.enoughCode ? allHeights : height
      let lines = room - linesLeft >= 3 ? [""] + code.lines(height: room - linesLeft) : []
      try write(opening + lines + [""])
    }
  }

  /// How many lines of code are enough to answer questions about it.
  private static let enoughCode = 12

  /// Turns pages until the last one is left.
  private func turnPages(_ walk: Walk, _ prediction: Prediction) throws -> WayOut {
    let screen = try RawTerminal(output: session.output)
    defer { screen.leave() }
    let last = walk.film.moments.count
    var page = 0
    while true {
      try draw(walk, prediction, page: page)
      for key in screen.keys() {
        switch key {
        case .forward where page == last: return .finished
        case .forward: page += 1
        case .back: page = max(0, page - 1)
        case .next: return .skipped
        case .quit: return .quit
        }
      }
    }
  }

  private func draw(_ walk: Walk, _ prediction: Prediction, page: Int) throws {
    let size = RawTerminal.size(of: session.output, fallback: terminal.width)
    let room = max(1, size.rows - 2)
    let isResult = page == walk.film.moments.count
    let lines =
      isResult
      ? WalkResult(walk, prediction, width: size.columns).lines(height: room)
      : WalkPage(walk, step: page, width: size.columns).lines(height: room)
    let empty = [StyledText](repeating: "", count: max(0, room - lines.count))
    let shown = (lines.prefix(room) + empty + ["", footer(walk, isResult)]).map {
      $0.truncated(to: size.columns).rendered(color: terminal.usesColor)
    }
    try session.output.write(control: RawTerminal.clear + shown.joined(separator: "\n"))
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    try session.output.write(lines, color: terminal.usesColor)
  }

  private func footer(_ walk: Walk, _ isResult: Bool) -> StyledText {
    let forward = isResult ? (walk.hasNext ? "next ending" : "end") : "next step"
    let ending = walk.hasNext && !isResult ? " · e next ending" : ""
    return StyledText("Enter \(forward) · b back\(ending) · q quit", .dim)
  }
}

/// Prints a walk from beginning to end.
struct WalkPrinter: Walker {
  /// Where the walk is printed.
  let output: Output
  /// What is at the other end of the output.
  let terminal: Terminal
  /// What the reader has predicted.
  let predictions: Predictions

  func show(_ walk: Walk) throws -> Bool {
    let width = terminal.width
    if walk.place.index == 1 {
      for listing in Listing.of(walk.scenario) {
        try write(ListingLines.lines(of: listing, width: width) + [""])
      }
    }
    try write(walk.opening(width: width) + [""])
    for index in walk.film.moments.indices {
      try write(WalkPage(walk, step: index, width: width).lines + [""])
    }
    let prediction = predictions[walk.ending] ?? Prediction()
    try write(WalkResult(walk, prediction, width: width).lines + (walk.hasNext ? [""] : []))
    return true
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    try output.write(lines, color: terminal.usesColor)
  }
}

/// The predictions that the command line makes.
package struct Predictions {
  private var byEnding: [String: Prediction] = [:]
  private var forAll: Prediction?

  /// No predictions: the reader is asked for them, where there is somebody to ask.
  package init() {}

  /// Reads every `--predict`.
  ///
  /// - Throws: `UsageError` when one cannot be read, or names an ending that is not walked through.
  init(_ invocation: Invocation, for endings: [Ending]) throws(UsageError) {
    for text in invocation.values("predict") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let prediction = Prediction(parts.last.map(String.init) ?? "") else {
        throw invocation.usageError(
          "\(quoted(text)) is no prediction. Write deinitialised=<n>,live=<n>,held=<cause>, or any of "
            + "them, after the name of an ending and a colon if it is for that one alone.")
      }
      guard parts.count == 2 else {
        forAll = prediction
        continue
      }
      guard let ending = endings.first(where: { $0.name == parts[0] }) else {
        let names = endings.map(\.name).joined(separator: ", ")
        throw invocation.usageError(
          "There is no ending \(quoted(String(parts[0]))) to predict. Choose one of: \(names).")
      }
      byEnding[ending.name] = prediction
    }
  }

  /// What was predicted for an ending; nil when nothing was.
  subscript(ending: Ending) -> Prediction? { byEnding[ending.name] ?? forAll }
}
