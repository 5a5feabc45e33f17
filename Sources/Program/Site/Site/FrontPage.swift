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
    let pieces = [
      "ways": ways, "commands": commands, "tries": tries, "lessons": course, "puzzles": puzzles,
      "failures": failures,
    ]
    return SitePage(
      path: "index.html", title: "memlab: what Swift keeps alive, and why", translator: translator,
      kind: "front",
      content: Markup([Markup(file: "front", [:], pieces) { translator($0) }, matrix]))
  }

  /// Where to begin.
  @MarkupBuilder private var ways: Markup {
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

  @MarkupBuilder private var commands: Markup {
    let run = "swift run memlab retain-cycle"
    let walk = "swift run memlab walk retain-cycle"
    for command in repository.map({ ["git clone \($0)", run] }) ?? [run, walk] {
      " "
      Markup("code") { command }
    }
  }

  /// Two pictures to cut: a cycle, and a task instead of a cycle.
  @MarkupBuilder private var tries: Markup {
    attempt(
      Goal.of("retain-cycle", "drop", 3),
      "Two objects hold each other, and no variable holds them.", anchor: "front0-")
    attempt(
      Goal.of("strong-self", "cancel", 6), "A task instead of a cycle: it waits, and holds both.",
      anchor: "front1-")
  }

  private func attempt(_ goal: Goal?, _ title: String, anchor: String) -> Markup? {
    guard let goal else { return nil }
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

  @MarkupBuilder private var puzzles: Markup {
    for goal in Goal.all where reels.contains(where: { $0.scenario.id == goal.scenario }) {
      let address = "scenarios/\(goal.scenario).html#\(goal.ending)/\(goal.step)"
      Markup("li") {
        Markup("a", ["href": address]) { translator(goal.text) }
        " "
        Markup("small") { goal.scenario }
      }
    }
  }

  @MarkupBuilder private var course: Markup {
    for lesson in lessons {
      let address = "lessons/\(lesson.folder).html"
      Markup("li") { Markup("a", ["href": address]) { translator(lesson.title) } }
    }
  }

  @MarkupBuilder private var failures: Markup {
    let failed = reels.flatMap { subject in subject.reel.endings.compactMap { $0.failure } }
    if !failed.isEmpty {
      Markup("section", ["class": "alarm"]) {
        Markup("h2") { translator("What could not be measured") }
        Markup("ul") { for failure in failed { Markup("li") { failure } } }
      }
    }
  }

  private var matrix: Markup {
    let subjects = reels.map { scenario, reel in
      let trials = reel.endings.compactMap { $0.film?.report }
      return HTMLPage.Subject(
        scenario: scenario, report: Report(scenario: scenario, trials: trials), code: nil)
    }
    return MatrixPart(
      address: { "scenarios/\($0).html" },
      endingAddress: { "scenarios/\($1).html#\($0)/predict" }, said: { translator($0) }
    ).markup(for: subjects.byDocument)
  }
}
