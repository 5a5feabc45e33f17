import MemlabKit

/// The first page: where to begin, the lessons, and the matrix of patterns and endings.
struct FrontPage {
  /// The scenarios and what was filmed of them.
  let reels: [(scenario: Scenario, reel: FilmReel)]
  /// The folders of the lessons and their titles.
  let lessons: [(folder: String, title: String)]
  /// The address of the repository; nil where none is known.
  let repository: String?
  private let translator = Translator(language: .en)

  /// The page.
  var page: SitePage {
    SitePage(
      path: "index.html", title: "memlab: what Swift keeps alive, and why", translator: translator,
      kind: "front",
      content: Markup([opening, tries, course, puzzles, failures ?? Markup([]), matrix]))
  }

  /// Two pictures to cut: a cycle, and a task instead of a cycle.
  private var tries: Markup {
    let pictures = [
      (
        Goal.of("retain-cycle", "drop", 3),
        "Two objects hold each other, and no variable holds them."
      ),
      (Goal.of("strong-self", "cancel", 6), "A task instead of a cycle: it waits, and holds both."),
    ]
    return Markup("div", ["class": "tries"]) {
      for (place, (goal, title)) in pictures.enumerated() {
        if let goal { attempt(goal, title, anchor: "front\(place)-") }
      }
    }
  }

  private func attempt(_ goal: Goal, _ title: String, anchor: String) -> Markup? {
    let reel = reels.first { $0.scenario.id == goal.scenario }?.reel
    guard let film = reel?.endings.first(where: { $0.name == goal.ending })?.film,
      goal.step <= film.moments.count, let graph = film.moments[goal.step - 1].graph,
      let script = goal.script(in: graph)
    else { return nil }
    let (strips, shapes) = FilmStrip.placed([FilmStrip([graph])], at: anchor)
    return Markup("section", ["data-bench": "", "data-goal": script]) {
      Markup("h2") { translator(title) }
      shapes
      Markup("div", ["class": "scene"]) { FramePart.markup(strips[0], at: 0, translator) }
      Markup("p") {
        Markup("a", ["href": "scenarios/\(goal.scenario).html#\(goal.ending)/predict"]) {
          translator("See the run that this was measured in")
        }
      }
    }
  }

  private var puzzles: Markup {
    Markup("section", ["id": "puzzles", "aria-labelledby": "puzzles-title"]) {
      Markup("h2", ["id": "puzzles-title"]) { translator("Puzzles") }
      Markup("ol", ["class": "lessons"]) {
        for goal in Goal.all where reels.contains(where: { $0.scenario.id == goal.scenario }) {
          let address = "scenarios/\(goal.scenario).html#\(goal.ending)/\(goal.step)"
          Markup("li") {
            Markup("a", ["href": address]) { translator(goal.text) }
            " "
            Markup("small") { goal.scenario }
          }
        }
      }
    }
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
      Markup("p", ["class": "commands"]) {
        translator("In a terminal:")
        " "
        if let repository {
          Markup("code") { "git clone \(repository)" }
          " "
        }
        Markup("code") { "swift run memlab retain-cycle" }
        if repository == nil {
          " "
          Markup("code") { "swift run memlab walk retain-cycle" }
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
