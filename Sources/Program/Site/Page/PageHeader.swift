import MemlabKit
import MemlabTerminalText

/// What the page begins with: what it is, how all of it came out, how to look at it.
enum PageHeader {
  /// The part in HTML.
  static func markup(
    for subjects: [HTMLPage.Subject], of app: PageApp, remark: String?
  ) -> Markup {
    Markup([
      Markup.link(to: "content", class: "skip") { "Skip to the content" },
      Markup("header", ["class": "page"]) {
        controls
        Markup("p", ["class": "brand"]) { "\(app.name) report" }
        Markup("h1") { "What Swift keeps alive, and why" }
        Markup("p", ["class": "lead"]) { count(of: subjects) }
        Markup("p", ["class": "about"]) {
          app.hasCourse
            ? "Each pattern comes from a published document and is ended in every way that matters. "
            : "Each pattern is ended in every way that matters. "
          "memlab counts births and deinits, and reads from the real heap who holds what is left. "
          "A leak that is shown on purpose is as declared. In the pictures, a rounded box needs "
          "nobody to hold it, a dashed one is a closure or a buffer on the way, and a thick one is "
          "what should be gone."
        }
        if let remark { Markup("p", ["class": "notice"]) { "Note: \(remark)." } }
      },
    ])
  }

  /// How many endings were run and how they came out.
  static func count(of subjects: [HTMLPage.Subject]) -> String {
    let trials = subjects.flatMap(\.report.trials)
    let differing = trials.count { !$0.asExpected }
    return "\(counted(subjects.count, "scenario")), \(counted(trials.count, "ending")): "
      + "\(trials.count - differing) as declared, \(differing) not"
  }

  private static var controls: Markup {
    Markup("div", ["class": "controls"]) {
      Markup("fieldset") {
        Markup("legend", ["class": "spoken"]) { "Colours" }
        for (value, name) in [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")] {
          Markup(
            "input",
            [
              "type": "radio", "name": "theme", "id": "theme-\(value)", "value": value,
              "checked": value == "auto" ? "checked" : nil,
            ])
          Markup("label", ["for": "theme-\(value)"]) { name }
        }
      }
      Markup("button", ["type": "button", "id": "show-keys", "hidden": "hidden"]) {
        "Keys "
        Markup("kbd") { "?" }
      }
    }
  }
}

/// What the page ends with: where it came from, and the keys.
enum PageFooter {
  /// The footer.
  static func markup(of app: PageApp) -> Markup {
    Markup([
      Markup("footer", ["class": "page"]) {
        Markup("p") {
          "Written by "
          Markup("code") { "\(app.name) report --html" }
          ". Equal measurements give equal bytes; nothing here was loaded from anywhere."
        }
      },
      Markup("dialog", ["id": "keys", "aria-labelledby": "keys-title"]) {
        Markup("h2", ["id": "keys-title"]) { "Keys" }
        Markup("dl") {
          for (keys, meaning) in keys {
            Markup("div") {
              Markup("dt") {
                for key in keys { Markup("kbd") { key } }
              }
              Markup("dd") { meaning }
            }
          }
        }
        Markup("form", ["method": "dialog"]) { Markup("button") { "Close" } }
      },
    ])
  }

  private static let keys = [
    (["j", "→"], "the next section"),
    (["k", "←"], "the section before"),
    (["n"], "the next ending"),
    (["p"], "the ending before"),
    (["m"], "the matrix"),
    (["t"], "other colours"),
    (["?"], "this help"),
    (["Esc"], "closes it"),
  ]
}
