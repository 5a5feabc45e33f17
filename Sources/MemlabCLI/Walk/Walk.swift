import MemlabKit

/// One ending of a scenario as a film, and its place among the endings that are shown.
struct Walk {
  /// The scenario.
  let scenario: Scenario
  /// The ending.
  let ending: Ending
  /// What was measured, step by step.
  let film: Film
  /// Which ending this is of how many, from 1.
  let place: (index: Int, count: Int)

  init(_ scenario: Scenario, _ ending: Ending, _ film: Film, place: (Int, Int)) {
    self.scenario = scenario
    self.ending = ending
    self.film = film
    self.place = place
  }

  /// Whether another ending follows.
  var hasNext: Bool { place.index < place.count }

  /// What was measured before a step; nil before the first.
  func moment(before index: Int) -> Moment? { index > 0 ? film.moments[index - 1] : nil }

  /// The line above every page: where we are.
  func heading(_ position: String, width: Int) -> StyledText {
    let title =
      StyledText(scenario.id, .heading) + " · ending " + StyledText(ending.name, .emphasis)
      + StyledText(place.count > 1 ? ", \(place.index) of \(place.count)" : "")
    let gap = max(2, width - title.width - position.displayWidth)
    return title + StyledText(String(repeating: " ", count: gap)) + StyledText(position, .dim)
  }

  /// What stands before the first step: what is going to happen, and the question about it.
  func opening(width: Int) -> [StyledText] {
    [heading("before the run", width: width), ""]
      + ProseLines.paragraph("This ending: \(ending.title).", indent: "  ", width: width) + [""]
      + ProseLines.paragraph(scenario.question(before: ending), indent: "  ", width: width)
  }
}
