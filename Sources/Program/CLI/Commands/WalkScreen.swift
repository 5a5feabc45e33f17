import MemlabKit
import MemlabReports
import MemlabTerminalText

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
      }
    }
    return wayOut != .quit && walk.hasNext
  }

  /// How the reader left the pages of an ending.
  private enum WayOut {
    case finished, skipped, quit
  }

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
      if !isFirst { try session.output.write(RawTerminal.clear) }
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
    try session.output.write(RawTerminal.clear + shown.joined(separator: "\n"))
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    for line in lines {
      try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
    }
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
    for line in lines { try output.write(line.rendered(color: terminal.usesColor) + "\n") }
  }
}
