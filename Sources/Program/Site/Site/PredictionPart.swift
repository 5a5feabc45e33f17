import MemlabKit
import MemlabReports
import MemlabWalk

/// What is shown of an ending that was filmed.
struct WalkPart {
  /// The run.
  let walk: Walk
  /// What beliefs say of this run and of all others.
  let beliefs: BeliefTable
  /// The language of the page.
  let translator: Translator

  /// The question before the ending, its hint, and what the script needs to compare the answers with.
  var prediction: Markup {
    let pieces = [
      "question": translator.said(walk.scenario.question(before: walk.ending)),
      "hint": translator.said(walk.scenario.hint), "fields": fields,
    ]
    return Markup(file: "predict", ["ending": walk.ending.name], pieces) { translator($0) }
  }

  @MarkupBuilder private var fields: Markup {
    let trial = walk.film.report
    let (objects, tasks) = (trial.createdObjects, trial.startedTasks)
    if objects > 0 {
      field(
        "deinitialised", answers: ["\(objects - trial.aliveObjects)"],
        translator("How many objects are deinitialised, of #?", objects), upTo: objects)
    }
    if tasks > 0 {
      field(
        "live", answers: ["\(trial.liveTasks)"],
        translator("How many tasks still live, of #?", tasks), upTo: tasks)
    }
    if let question = walk.causeQuestion {
      field(
        "held", answers: Cause.allCases.filter(question.answers.contains).map(\.rawValue),
        translator("What holds # in the end?", question.type))
    }
    // The script shows it to those who have seen how the ending before comes out.
    if let before = walk.before {
      field(
        "same", answers: [walk.isLikeBefore ? "yes" : "no"],
        translator("Does this ending leave as much behind as #?", before.ending),
        after: before.ending
      ) {
        for answer in ["yes", "no"] {
          Self.choice(answer, translator(answer), of: "\(walk.ending.name)/same")
        }
      }
    }
  }

  /// The causes to choose from, which are the same in every question of a page: the script puts them
  /// there.
  static func causes(_ translator: Translator) -> Markup {
    Markup("template", ["id": "causes"]) {
      for cause in Cause.allCases { choice(cause.rawValue, translator(cause.inWords)) }
    }
  }

  private static func choice(_ value: String, _ words: Markup, of name: String? = nil) -> Markup {
    Markup("label") {
      Markup("input", ["type": "radio", "name": name, "value": value])
      " "
      words
    }
  }

  private func field(
    _ name: String, answers: [String], _ question: Markup, upTo limit: Int? = nil,
    after: String? = nil, @MarkupBuilder choices: () -> Markup = { Markup([]) }
  ) -> Markup {
    let attributes: KeyValuePairs<String, String?> = [
      "data-name": name, "data-answer": answers.joined(separator: " "), "data-after": after,
      "data-limit": limit.map(String.init), "hidden": after.map { _ in "hidden" },
    ]
    return Markup("fieldset", attributes) {
      Markup("legend") { question }
      choices()
    }
  }
}

extension WalkPart {
  /// What is said to each answer about the cause, with the belief behind a wrong one, and about the
  /// reference to cut; nothing where neither is a question. It stands in the result, each reply folded
  /// away, so that it can be read without a script too; the script shows the reply to what was predicted.
  @MarkupBuilder var answers: Markup {
    if let question = walk.causeQuestion {
      Markup("section", ["class": "answers"]) {
        Markup("h5") { translator("What holds # in the end?", question.type) }
        for cause in Cause.allCases {
          reply(translator(cause.inWords), question.reply(to: cause), of: cause)
        }
      }
    }
    if let question = CutQuestion(about: walk.film) {
      Markup("section", ["class": "answers"]) {
        Markup("h5") {
          translator("Which of these would you make weak, or cut, so that # goes?", question.type)
        }
        for (line, choice) in zip(walk.lines(of: question), question.choices) {
          reply(Markup("code") { line }, [question.reply(to: choice)])
        }
      }
    }
  }

  private func reply(_ answer: Markup, _ sayings: [Saying], of cause: Cause? = nil) -> Markup {
    let (ending, scenario) = (walk.ending.name, walk.scenario.id)
    let belief = cause.flatMap { beliefs.belief(behind: $0, about: ending, of: scenario) }
    return Markup("details", ["data-cause": cause?.rawValue, "data-rule": belief?.rule.name]) {
      Markup("summary") { answer }
      Markup("p") {
        for (place, saying) in sayings.enumerated() {
          place == 0 ? "" : " "
          translator.said(saying)
        }
        if let belief {
          " "
          translator("This follows from a belief:")
          " "
          translator(belief.rule.sentence)
          if let other = belief.elsewhere {
            " "
            // It does not say how that pattern comes out.
            Markup("a", ["href": "\(other.scenario).html#\(other.ending)/predict"]) {
              translator("Would it be right here?")
              " "
              Markup("code") { "\(other.scenario) \(other.ending)" }
            }
          }
        }
      }
    }
  }
}
