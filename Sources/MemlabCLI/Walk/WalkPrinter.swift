import MemlabKit
import Scenarios

/// Prints a walk from beginning to end.
struct WalkPrinter: Walker {
  let output: Output
  let terminal: Terminal
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
