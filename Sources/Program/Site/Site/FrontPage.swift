import MemlabKit

/// The first page: where to begin, the lessons, and the matrix of patterns and endings.
struct FrontPage {
  /// The scenarios and what was filmed of them.
  let reels: [(scenario: Scenario, reel: FilmReel)]
  /// The folders of the lessons and their titles.
  let lessons: [(folder: String, title: String)]
  private let translator = Translator(language: .en)

  /// The page.
  var page: SitePage {
    SitePage(
      path: "index.html", title: "memlab: what Swift keeps alive, and why", translator: translator,
      kind: "front", content: Markup([opening, course, failures ?? Markup([]), matrix]))
  }

  private var opening: Markup {
    Markup("section", ["class": "opening"]) {
      Markup("h1") { translator("What Swift keeps alive, and why") }
      Markup("p", ["class": "lead"]) {
        let advice =
          "Predict what a piece of Swift leaves behind, then step through a recorded run "
        translator(advice + "and see who holds whom.")
      }
      Markup("p", ["class": "ways"]) {
        if let first = reels.first?.scenario {
          let address = "scenarios/\(first.id).html#\(first.endings[0].name)/predict"
          Markup("a", ["class": "main", "href": address]) {
            translator("Try the first pattern: two minutes")
          }
        }
        if let lesson = lessons.first {
          Markup("a", ["href": "lessons/\(lesson.folder).html"]) { translator("Take the course") }
        }
      }
    }
  }

  private var course: Markup {
    Markup("section", ["id": "lessons", "aria-labelledby": "lessons-title"]) {
      Markup("h2", ["id": "lessons-title"]) { translator("Lessons") }
      Markup("ol", ["class": "lessons"]) {
        for lesson in lessons {
          let address = "lessons/\(lesson.folder).html"
          Markup("li") { Markup("a", ["href": address]) { translator(lesson.title) } }
        }
      }
    }
  }

  private var failures: Markup? {
    let failed = reels.flatMap { subject in subject.reel.endings.compactMap { $0.failure } }
    guard !failed.isEmpty else { return nil }
    return Markup("section", ["class": "alarm"]) {
      Markup("h2") { translator("What could not be measured") }
      Markup("ul") { for failure in failed { Markup("li") { failure } } }
    }
  }

  private var matrix: Markup {
    let subjects = reels.map { scenario, reel in
      let trials = reel.endings.compactMap { $0.film?.report }
      return HTMLPage.Subject(
        scenario: scenario, report: Report(scenario: scenario, trials: trials), code: nil)
    }
    var part = MatrixPart()
    part.said = { translator($0) }
    part.address = { "scenarios/\($0).html" }
    part.endingAddress = { "scenarios/\($1).html#\($0)/predict" }
    return Markup([
      Markup("p", ["class": "unveil", "hidden": "hidden"]) {
        Markup("button", ["type": "button", "id": "unveil", "aria-pressed": "false"]) {
          translator("Show all verdicts")
        }
        " "
        translator("A verdict is hidden until you have predicted it.")
      },
      part.markup(for: subjects.byDocument),
    ])
  }
}
