import HeapGraph
package import MemlabKit
import Scenarios

/// A recorded run of one ending, and its place among the endings that are shown.
package struct Walk {
  /// The scenario.
  let scenario: Scenario
  /// The ending.
  let ending: Ending
  /// What was measured, step by step.
  let film: Film
  /// Which ending this is of how many, from 1.
  let place: (index: Int, count: Int)

  /// A run, and which of how many it is, from 1.
  package init(_ scenario: Scenario, _ ending: Ending, _ film: Film, place: (Int, Int)) {
    self.scenario = scenario
    self.ending = ending
    self.film = film
    self.place = place
  }

  /// The steps as `memlab walk` prints them, a text for each, in lines of at most 80 columns.
  package var texts: [String] {
    film.moments.indices.map { index in
      WalkPage(self, step: index, width: 80).lines.map { $0.plain + "\n" }.joined()
    }
  }

  /// Whether another ending follows.
  var hasNext: Bool { place.index < place.count }

  /// What was measured before a step; nil before the first.
  func moment(before index: Int) -> Moment? { index > 0 ? film.moments[index - 1] : nil }

  /// The first line of every page: the scenario, the ending and the step.
  func heading(_ position: String, width: Int) -> StyledText {
    let title =
      StyledText(scenario.id, .heading) + " · ending " + StyledText(ending.name, .emphasis)
      + StyledText(place.count > 1 ? ", \(place.index) of \(place.count)" : "")
    let gap = max(2, width - title.width - position.displayWidth)
    return title + StyledText(String(repeating: " ", count: gap)) + StyledText(position, .dim)
  }

  /// The page before the first step: what is going to happen, and the question about it.
  func opening(width: Int) -> [StyledText] {
    [heading("before the run", width: width), ""]
      + ProseLines.paragraph("This ending: \(ending.title).", indent: "  ", width: width) + [""]
      + ProseLines.paragraph(scenario.question(before: ending), indent: "  ", width: width)
  }
}

/// One step, in as many lines as there is room for.
struct WalkPage {
  private let walk: Walk
  private let index: Int
  private let width: Int

  /// The page of a step.
  init(_ walk: Walk, step index: Int, width: Int) {
    self.walk = walk
    self.index = index
    self.width = width
  }

  private var moment: Moment { walk.film.moments[index] }
  private var before: Moment? { walk.moment(before: index) }

  /// The whole page, for a place without an end.
  var lines: [StyledText] {
    let code = CodeWindow(walk, moment, width: width).markedLines
    return head + parts + (code.isEmpty ? [] : [""] + code)
  }

  /// The page in at most this many lines: the code is shortened first, then the diagram.
  func lines(height: Int) -> [StyledText] {
    let start = (head + parts).cut(to: height)
    let room = height - start.count - 1
    guard room >= 3 else { return start }
    let code = CodeWindow(walk, moment, width: width).lines(height: room)
    return code.isEmpty ? start : start + [""] + code
  }

  private var head: [StyledText] {
    let place = moment.step.place.map { "\($0)" } ?? ""
    let text = "\(moment.step.index) \(moment.step.text)"
    let gap = width - text.displayWidth - place.displayWidth
    let title =
      gap >= 2
      ? StyledText(text, .emphasis) + StyledText(String(repeating: " ", count: gap))
        + StyledText(place, .dim) : StyledText(text, .emphasis)
    let changes = StepLines.rows(of: moment.step.changes, width: width - 4)
    let position = "step \(index + 1) of \(walk.film.moments.count)"
    return [walk.heading(position, width: width), title]
      + changes.map { "    " + $0 }
  }

  private var parts: [StyledText] {
    let counts = MomentTable.lines(moment, since: before, as: walk.film.report, width: width)
    let holders = HolderLines.lines(moment, since: before)
    return (counts.isEmpty ? [] : [""] + counts) + (holders.isEmpty ? [] : [""] + holders)
  }
}

extension [StyledText] {
  /// The first lines, and how many more there are.
  func cut(to height: Int) -> [StyledText] {
    guard count > height, height > 1 else { return self }
    let rest = StyledText("  … and \(count - height + 1) more lines", .dim)
    return prefix(height - 1) + [rest]
  }
}

/// The page after the last step: the verdict, the predictions, and the reasons.
struct WalkResult {
  private let walk: Walk
  private let prediction: Prediction
  private let width: Int

  /// The last page of a walk.
  init(_ walk: Walk, _ prediction: Prediction, width: Int) {
    self.walk = walk
    self.prediction = prediction
    self.width = width
  }

  /// The whole page.
  var lines: [StyledText] {
    let trial = walk.film.report
    let blocks = [
      prediction.lines(for: trial),
      VerdictLines.lines(for: trial, width: width),
      CountLines.metrics(for: trial),
      ProseLines.explanation(of: walk.ending, trial, width: width),
      WhyLines.lines(for: trial, width: width),
      WhyLines.waiters(of: trial, width: width),
      ProseLines.claims(of: trial, width: width),
    ]
    return [walk.heading("the result", width: width)]
      + blocks.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  /// What stays on the screen afterwards: the verdict, and which predictions were right.
  var summary: [StyledText] {
    let trial = walk.film.report
    return [
      "", StyledText(walk.scenario.id, .heading) + " · ending " + StyledText(walk.ending.name),
    ]
      + VerdictLines.lines(for: trial, width: width) + prediction.lines(for: trial)
  }

  /// The page in at most this many lines, with the command that prints the rest.
  func lines(height: Int) -> [StyledText] {
    let lines = lines
    guard lines.count > height, height > 2 else { return lines }
    let command = "memlab \(walk.scenario.id) --ending \(walk.ending.name)"
    return lines.prefix(height - 1) + [StyledText("    … the rest: \(command)", .dim)]
  }
}
