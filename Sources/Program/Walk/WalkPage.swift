import MemlabHeapModel
package import MemlabKit
package import MemlabReports
package import MemlabTerminalText

/// A recorded run of one ending, and its place among the endings that are shown.
package struct Walk {
  /// The scenario.
  package let scenario: Scenario
  /// The ending.
  package let ending: Ending
  /// What was measured, step by step.
  package let film: Film
  /// The name of the program, as typed.
  package let program: String
  /// Which ending this is of how many, from 1.
  package let place: (index: Int, count: Int)
  /// What the ending before it has measured; nil for the first.
  package var before: TrialReport?
  /// What stands in where the heap is not read.
  package var recorded: RecordedChains?

  /// A run, and which of how many it is, from 1.
  package init(
    _ scenario: Scenario, _ ending: Ending, _ film: Film, program: String = "memlab",
    place: (Int, Int)
  ) {
    self.program = program
    (self.scenario, self.ending, self.film, self.place) = (scenario, ending, film, place)
  }

  /// The steps as `memlab walk` prints them, a text for each, in lines of at most 80 columns.
  package var texts: [String] {
    film.moments.indices.map { index in
      WalkPage(self, step: index, width: 80).lines.map { $0.plain + "\n" }.joined()
    }
  }

  /// The question what holds an object in the end; nil where there is nothing to ask.
  package var causeQuestion: CauseQuestion? {
    CauseQuestion(about: film, beliefs: scenario.beliefs)
  }

  /// Whether it leaves as many objects and tasks behind as the ending before it.
  package var isLikeBefore: Bool {
    guard let before else { return false }
    let report = film.report
    return (before.verdict, before.aliveObjects, before.liveTasks)
      == (report.verdict, report.aliveObjects, report.liveTasks)
  }

  /// The references of a question, each with the line of the code that has it.
  package func lines(of question: CutQuestion) -> [String] {
    let listings = Listing.of(scenario, in: ending)
    // Where the closures wait that hold what is left, by their names.
    let frames = (film.report.heap?.tasks ?? []).flatMap(\.frames)
    let places = frames.compactMap { frame in frame.location.map { (frame.function, $0) } }
    let closures = Dictionary(places) { first, _ in first }
    return question.choices.map { choice in
      let property = listings.lazy.compactMap { listing in
        listing.place(declaring: choice.label).map { "\(listing.fileName):\(listing.line + $0)" }
      }.first
      let closure = closures[choice.holder].map { waiting in
        listings.lazy.compactMap { $0.closure(around: waiting) }.first ?? waiting
      }
      let place = property ?? closure.map { "\($0)" }
      return choice.inWords + (place.map { "   \($0)" } ?? "")
    }
  }

  /// Whether another ending follows.
  package var hasNext: Bool { place.index < place.count }

  /// What was measured before a step; nil before the first.
  package func moment(before index: Int) -> Moment? { index > 0 ? film.moments[index - 1] : nil }

  /// The first line of every page: the scenario, the ending and the step.
  package func heading(_ position: String, width: Int) -> [StyledText] {
    let title =
      StyledText(scenario.id, .heading) + " · ending " + StyledText(ending.name, .emphasis)
      + StyledText(place.count > 1 ? ", \(place.index) of \(place.count)" : "")
    let gap = max(2, width - title.width - position.displayWidth)
    let line = title + StyledText(spaces(gap)) + StyledText(position, .dim)
    return line.foldedIfNarrow(to: width)
  }

  /// The page before the first step: what is going to happen, and the question about it.
  package func opening(width: Int) -> [StyledText] {
    heading("before the run", width: width) + [""]
      + ProseLines.paragraph("This ending: \(ending.title).", indent: "  ", width: width) + [""]
      + ProseLines.paragraph(scenario.question(before: ending), indent: "  ", width: width)
  }
}

/// One step, in as many lines as there is room for.
package struct WalkPage {
  private let walk: Walk
  private let index, width: Int

  /// The page of a step.
  package init(_ walk: Walk, step index: Int, width: Int) {
    (self.walk, self.index, self.width) = (walk, index, width)
  }

  private var moment: Moment { walk.film.moments[index] }
  private var before: Moment? { walk.moment(before: index) }

  /// The whole page, for a place without an end.
  package var lines: [StyledText] {
    let code = CodeWindow(walk, moment, width: width).markedLines
    return head + parts() + (code.isEmpty ? [] : [""] + code)
  }

  /// The page in at most this many lines: counts that are as before go first, then the rest of the
  /// code around the line that decides, then the diagram.
  package func lines(height: Int) -> [StyledText] {
    let window = CodeWindow(walk, moment, width: width)
    let wanted = min(window.fullHeight, Self.leastCode)
    let whole = head + parts()
    let start =
      whole.count + 1 + wanted <= height ? whole : (head + parts(collapsing: true)).cut(to: height)
    let room = height - start.count - 1
    guard room >= 2 else { return start }
    let code = window.lines(height: room)
    return code.isEmpty ? start : start + [""] + code
  }

  // Fewer lines than this, and the code around the one that decides does not explain it.
  private static let leastCode = 8

  private var head: [StyledText] {
    let place = moment.step.place.map { "\($0)" } ?? ""
    let text = "\(moment.step.index) \(moment.step.text)"
    let gap = width - text.displayWidth - place.displayWidth
    let end = gap >= 2 ? StyledText(spaces(gap)) + StyledText(place, .dim) : ""
    let title = StyledText(text, .emphasis) + end
    let changes = StepLines.rows(of: moment.step.changes, width: width - 4).map { "    " + $0 }
    let position = "step \(index + 1) of \(walk.film.moments.count)"
    return walk.heading(position, width: width) + title.foldedIfNarrow(to: width) + changes
  }

  private func parts(collapsing: Bool = false) -> [StyledText] {
    let counts = CountTable.lines(
      moment, since: before, as: walk.film.report, width: width, collapsing: collapsing)
    let holders = HolderLines.lines(moment, since: before)
    return [counts, holders].filter { !$0.isEmpty }.flatMap { [""] + $0 }
      .flatMap { $0.foldedIfNarrow(to: width) }
  }
}

extension [StyledText] {
  /// The first lines, and how many more there are.
  package func cut(to height: Int) -> [StyledText] {
    guard count > height, height > 1 else { return self }
    return prefix(height - 1) + [StyledText("  … and \(count - height + 1) more lines", .dim)]
  }
}

/// The page after the last step: the verdict, the predictions, and the reasons.
package struct WalkResult {
  private let walk: Walk
  private let prediction: Prediction
  private let width: Int

  /// The last page of a walk.
  package init(_ walk: Walk, _ prediction: Prediction, width: Int) {
    (self.walk, self.prediction, self.width) = (walk, prediction, width)
  }

  /// The whole page.
  package var lines: [StyledText] {
    let trial = walk.film.report
    let blocks = [
      prediction.lines(for: trial), prediction.replies(about: walk, width: width),
      VerdictLines.lines(for: trial, width: width), CountLines.metrics(for: trial),
      ProseLines.explanation(of: walk.ending, trial, width: width),
      ChainLines.lines(for: trial, width: width),
      trial.asExpected ? walk.recorded?.lines(of: walk.ending.name) ?? [] : [],
      WaitingTaskLines.lines(of: trial, width: width), ClaimLines.lines(of: trial, width: width),
    ]
    return walk.heading("the result", width: width)
      + blocks.filter { !$0.isEmpty }.flatMap { [""] + $0 }.flatMap { $0.foldedIfNarrow(to: width) }
  }

  /// What stays on the screen afterwards: the verdict, and which predictions were right.
  package var summary: [StyledText] {
    let (trial, id) = (walk.film.report, StyledText(walk.scenario.id, .heading))
    return ["", id + " · ending " + StyledText(walk.ending.name)]
      + VerdictLines.lines(for: trial, width: width) + prediction.lines(for: trial)
      + prediction.replies(about: walk, width: width)
  }

  /// The page in at most this many lines, with the command that prints the rest.
  package func lines(height: Int) -> [StyledText] {
    let lines = lines
    guard lines.count > height, height > 2 else { return lines }
    let command = "\(walk.program) \(walk.scenario.id) --ending \(walk.ending.name.quotedForShell)"
    return lines.prefix(height - 1) + [StyledText("    … the rest: \(command)", .dim)]
  }
}
