import MemlabKit

/// What somebody expects an ending to come to.
struct Prediction: Equatable {
  /// How many objects are deinitialised; nil when nothing was said of it.
  var deinitialised: Int?
  /// How many tasks are still live.
  var live: Int?

  /// Reads `deinitialised=0,live=1`, either part of it, in either order; nil if it is something else.
  init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, let count = Int(words[1]), count >= 0 else { return nil }
      switch words[0] {
      case "deinitialised" where deinitialised == nil, "deinitialized" where deinitialised == nil:
        deinitialised = count
      case "live" where live == nil: live = count
      default: return nil
      }
    }
  }

  /// No expectation.
  init() {}

  /// The predictions held against a measurement, a line for each that was made.
  func lines(for trial: TrialReport) -> [StyledText] {
    let objects = trial.objects.reduce(0) { $0 + $1.created }
    var table = Table(columns: [.text(), .number(), .number(), .text(gutter: 3)])
    table.add(["", "predicted", "measured"], style: .dim)
    let rows = [
      (
        "of \(counted(objects, "object")) deinitialised", deinitialised,
        objects - trial.aliveObjects
      ),
      ("tasks still live", live, trial.liveTasks),
    ]
    for (name, predicted, measured) in rows {
      guard let predicted else { continue }
      let verdict =
        predicted == measured
        ? StyledText("right", .clean) : StyledText("not what was measured", .emphasis)
      table.add([StyledText(name), StyledText("\(predicted)"), StyledText("\(measured)"), verdict])
    }
    return self == Prediction() ? [] : table.lines(indent: 2)
  }
}
