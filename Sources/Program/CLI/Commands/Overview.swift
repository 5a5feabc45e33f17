import MemlabKit
import MemlabReports
import MemlabTerminalText

/// What bare `memlab` prints, on one screen of 24 lines: what it is, where to begin, what there is.
package enum Overview {
  /// The screen, ending in a line break; its example is the first scenario.
  ///
  /// - Parameters:
  ///   - app: the program.
  ///   - width: the width in columns; lines are no longer than 80.
  package static func text(of app: App, width: Int) -> String {
    let page = HelpPage(width: width)
    let text = AppText("overview", of: app)
    let paragraphs = text.lines.split(whereSeparator: \.isEmpty)
    let column = 5 + paragraphs.flatMap(text.entries).map(\.label).widest
    return paragraphs.reduce(page) { page, lines in
      let entries = text.entries(in: lines)
      guard entries.isEmpty else {
        return page.closing(page.lines(of: entries, column: column).joined(separator: "\n"))
      }
      return page.closing(text.filled(lines.joined(separator: " ")))
    }.text
  }

  /// What `memlab help <scenario>` prints: what it is, and what can be typed next. Ends in a line break.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - app: the program that has it.
  ///   - width: the width in columns; lines are no longer than 80.
  static func text(
    about scenario: Scenario, in app: App, width: Int = HelpLayout.mostWidth
  ) -> String {
    let page = HelpPage(width: width)
    let text = AppText("scenario", of: app, scenario: scenario.id)
    let entries = text.entries(in: text.lines[...])
    // A scenario's name may be so long that the column of other help pages is too narrow.
    let next = page.lines(of: entries, column: 4 + entries.map(\.label).widest)
    return
      page
      .overview("\(scenario.title).", discussion: scenario.origin)
      .usage("\(app.name) \(scenario.id) [<options>]")
      .closing((["WHAT TO TYPE NEXT:"] + next).joined(separator: "\n"))
      .closing("  See '\(app.name) help run' for the options.")
      .text
  }
}

extension AppText {
  /// What can be typed, and what it does: the lines that have a dash between the two.
  fileprivate func entries(
    in lines: ArraySlice<Substring>
  ) -> [(label: String, explanation: String)] {
    lines.compactMap { line in
      let parts = line.split(separator: " — ")
      return parts.count == 2 ? (filled(parts[0].dropFirst(2)), filled(parts[1])) : nil
    }
  }
}
