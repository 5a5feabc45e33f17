import MemlabKit

/// What stands after the last step: the verdict, the predictions, and why it is so.
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

  /// What is to be read when the pages are gone: the verdict, and what became of the predictions.
  var summary: [StyledText] {
    let trial = walk.film.report
    return [
      "", StyledText(walk.scenario.id, .heading) + " · ending " + StyledText(walk.ending.name),
    ]
      + VerdictLines.lines(for: trial, width: width) + prediction.lines(for: trial)
  }

  /// The page in at most so many lines, saying where the rest can be read.
  func lines(height: Int) -> [StyledText] {
    let lines = lines
    guard lines.count > height, height > 2 else { return lines }
    let command = "memlab \(walk.scenario.id) --ending \(walk.ending.name)"
    return lines.prefix(height - 1) + [StyledText("    … the rest: \(command)", .dim)]
  }
}
