import MemlabKit

/// The question before an ending, and what the script needs to compare the answer with.
struct PredictionPart {
  private let walk: Walk
  private let tongue: Tongue

  /// The question about an ending.
  init(_ walk: Walk, _ tongue: Tongue) { (self.walk, self.tongue) = (walk, tongue) }

  /// The question, its hint, and the form.
  var markup: Markup {
    let anchor = "\(walk.ending.name)/predict"
    let trial = walk.film.report
    let objects = trial.createdObjects
    let tasks = trial.startedTasks
    return Markup(
      "section",
      [
        "class": "step predict", "id": anchor, "aria-labelledby": "\(anchor)/heading",
        "tabindex": "-1",
      ]
    ) {
      Markup("h4", ["id": "\(anchor)/heading"]) { tongue("Predict") }
      Markup("p", ["class": "question"]) { walk.scenario.question(before: walk.ending) }
      Markup("details", ["class": "hint"]) {
        Markup("summary") { tongue("Hint") }
        Markup("p") { walk.scenario.hint }
      }
      Markup("form", ["hidden": "hidden"]) {
        if objects > 0 {
          choice(
            "deinitialised", upTo: objects, answer: objects - trial.aliveObjects,
            tongue("How many of # objects are deinitialised?", objects))
        }
        if tasks > 0 {
          choice(
            "live", upTo: tasks, answer: trial.liveTasks,
            tongue("How many of # tasks still live?", tasks))
        }
        Markup("p", ["class": "notice", "role": "status"])
        Markup("p") {
          Markup("button", ["type": "submit", "class": "main"]) { tongue("Begin") }
          " "
          Markup("button", ["type": "button", "data-go": "skip"]) { tongue("Skip the question") }
        }
      }
    }
  }

  private func choice(_ name: String, upTo limit: Int, answer: Int, _ question: Markup) -> Markup {
    let field = "\(walk.ending.name)/\(name)"
    return Markup("fieldset", ["data-name": name, "data-answer": "\(answer)"]) {
      Markup("legend") { question }
      if limit <= 6 {
        for number in 0...limit {
          Markup("label") {
            Markup("input", ["type": "radio", "name": field, "value": "\(number)"])
            " \(number)"
          }
        }
      } else {
        Markup(
          "input",
          [
            "type": "number", "name": field, "min": "0", "max": "\(limit)",
            "aria-label": "0 – \(limit)",
          ])
      }
    }
  }
}

/// The verdict on an ending, and why it is so.
struct ResultPart {
  private let walk: Walk
  private let tongue: Tongue

  /// The result of an ending.
  init(_ walk: Walk, _ tongue: Tongue) { (self.walk, self.tongue) = (walk, tongue) }

  /// The verdict, the explanation and who holds what is left.
  var markup: Markup {
    let anchor = "\(walk.ending.name)/result"
    let trial = walk.film.report
    return Markup(
      "section",
      [
        "class": "step result \(trial.verdict.rawValue)", "id": anchor,
        "aria-labelledby": "\(anchor)/heading", "tabindex": "-1",
      ]
    ) {
      Markup("h4", ["id": "\(anchor)/heading"]) { tongue("The result") }
      Markup("div", ["class": "predicted", "role": "status"])
      VerdictMark.line(for: trial)
      DifferenceList.markup(for: trial)
      Markup("p", ["class": trial.asExpected ? "explanation" : "missing"]) {
        trial.asExpected
          ? walk.ending.explanation
          : "Something else was measured than what the scenario explains, so its explanation is "
            + "left out."
      }
      FiguresPart.markup(for: trial)
      HoldersPart.markup(for: trial, anchor: anchor)
      ClaimsPart.markup(for: trial)
    }
  }
}

/// A scenario's own figures, where it has any.
enum FiguresPart {
  /// The figures of a trial; nil where it has none.
  static func markup(for trial: TrialReport) -> Markup? {
    guard !trial.metrics.isEmpty else { return nil }
    return Markup("ul", ["class": "figures"]) {
      for (metric, value) in trial.metrics.sorted(by: { $0.key < $1.key }) {
        Markup("li") {
          Markup("code") { metric.rawValue }
          " \(value)"
        }
      }
    }
  }
}
