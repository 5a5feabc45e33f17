import MemlabKit
import MemlabReports

/// The questions before an ending, and what the script needs to compare the answers with.
struct PredictionPart {
  private let walk: Walk
  private let translator: Translator

  /// The questions about an ending.
  init(_ walk: Walk, _ translator: Translator) { (self.walk, self.translator) = (walk, translator) }

  /// The question, its hint, and the form.
  var markup: Markup {
    let anchor = "\(walk.ending.name)/predict"
    return Markup(
      "section",
      [
        "class": "step predict", "id": anchor, "aria-labelledby": "\(anchor)/heading",
        "tabindex": "-1",
      ]
    ) {
      Markup("h4", ["id": "\(anchor)/heading"]) { translator("Predict") }
      Markup("p", ["class": "question"]) {
        translator.said(walk.scenario.question(before: walk.ending))
      }
      Markup("details", ["class": "hint"]) {
        Markup("summary") { translator("Hint") }
        Markup("p") { translator.said(walk.scenario.hint) }
      }
      Markup("form", ["hidden": "hidden"]) {
        counts
        cause
        sameness
        Markup("p", ["class": "notice", "role": "status"])
        Markup("p") {
          Markup("button", ["type": "submit", "class": "main"]) { translator("Begin") }
          " "
          Markup("button", ["type": "button", "data-go": "skip"]) {
            translator("Skip the question")
          }
        }
      }
    }
  }

  private var counts: Markup {
    let trial = walk.film.report
    let (objects, tasks) = (trial.createdObjects, trial.startedTasks)
    return Markup([
      count(
        "deinitialised", upTo: objects, answer: objects - trial.aliveObjects,
        translator("How many of # objects are deinitialised?", objects)),
      count(
        "live", upTo: tasks, answer: trial.liveTasks,
        translator("How many of # tasks still live?", tasks)),
    ])
  }

  private var cause: Markup? {
    walk.causeQuestion.map { question in
      field(
        "held", answers: Cause.allCases.filter(question.answers.contains).map(\.rawValue),
        translator("What holds # in the end?", question.type))
    }
  }

  /// The causes to choose from, which are the same in every question of a page: the script puts them
  /// there.
  static func causes(_ translator: Translator) -> Markup {
    Markup("template", ["id": "causes"]) {
      for cause in Cause.allCases {
        Markup("label") {
          Markup("input", ["type": "radio", "value": cause.rawValue])
          " "
          translator(cause.inWords)
        }
      }
    }
  }

  // The script shows it to those who have seen how the ending before comes out.
  private var sameness: Markup? {
    walk.before.map { before in
      field(
        "same", answers: [walk.isLikeBefore ? "yes" : "no"],
        translator("Does this ending leave as much behind as #?", before.ending),
        after: before.ending
      ) {
        for answer in ["yes", "no"] { choice("same", answer, translator(answer)) }
      }
    }
  }

  private func count(_ name: String, upTo limit: Int, answer: Int, _ question: Markup) -> Markup {
    guard limit > 0 else { return Markup([]) }
    return field(name, answers: ["\(answer)"], question, upTo: limit)
  }

  private func field(
    _ name: String, answers: [String], _ question: Markup, upTo limit: Int? = nil,
    after: String? = nil, @MarkupBuilder choices: () -> Markup = { Markup([]) }
  ) -> Markup {
    Markup(
      "fieldset",
      [
        "data-name": name, "data-answer": answers.joined(separator: " "), "data-after": after,
        "data-limit": limit.map(String.init),
        "hidden": after.map { _ in "hidden" },
      ]
    ) {
      Markup("legend") { question }
      choices()
    }
  }

  private func choice(_ name: String, _ value: String, _ label: Markup) -> Markup {
    Markup("label") {
      Markup(
        "input", ["type": "radio", "name": "\(walk.ending.name)/\(name)", "value": value])
      " "
      label
    }
  }
}
