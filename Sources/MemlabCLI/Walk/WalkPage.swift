import HeapGraph
import MemlabKit
import Scenarios

/// What is to be seen of one step, in as many lines as there is room for.
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

  /// The page in at most so many lines: the code gives way first, then the diagram.
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
  /// The lines, with a word about those that there is no room for.
  func cut(to height: Int) -> [StyledText] {
    guard count > height, height > 1 else { return self }
    let rest = StyledText("  … and \(count - height + 1) more lines", .dim)
    return prefix(height - 1) + [rest]
  }
}
