import MemlabKit

/// The scenarios that a page leaves out, and how to see them.
enum LeftOutPart {
  /// The section.
  static func markup(for scenarios: [Scenario], of app: PageApp) -> Markup {
    Markup(
      "section", ["id": "left-out", "class": "left-out", "aria-labelledby": "left-out/title"]
    ) {
      Markup("h2", ["id": "left-out/title"]) { "Not in this page" }
      Markup("p") {
        "Each of these commands prints a report. "
        Markup("code") { "\(app.name) report --html all.html" }
        " writes a page with all scenarios."
      }
      Markup("ul") {
        for scenario in scenarios {
          Markup("li", ["id": Anchors.leftOut(scenario.id), "tabindex": "-1"]) {
            Markup("code") { "\(app.name) \(scenario.id)" }
            " \(scenario.title)"
          }
        }
      }
    }
  }
}
