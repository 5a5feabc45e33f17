import MemlabKit
import MemlabReports

/// What is said to each answer about the cause. It stands in the result, each reply folded away, so
/// that it can be read without a script too; the script shows the reply to what was predicted.
struct AnswersPart {
  private let walk: Walk
  private let translator: Translator

  /// The answers to the questions about an ending.
  init(_ walk: Walk, _ translator: Translator) { (self.walk, self.translator) = (walk, translator) }

  /// What holds the object, and which reference to cut; nothing where neither is a question.
  var markup: Markup {
    Markup([cause ?? Markup([]), cut ?? Markup([])])
  }

  private var cause: Markup? {
    walk.causeQuestion.map { question in
      Markup("section", ["class": "answers"]) {
        Markup("h5") { translator("What holds # in the end?", question.type) }
        for cause in Cause.allCases {
          reply(translator(cause.inWords), question.reply(to: cause), of: cause)
        }
      }
    }
  }

  private var cut: Markup? {
    CutQuestion(about: walk.film).map { question in
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
    Markup("details", ["data-cause": cause?.rawValue]) {
      Markup("summary") { answer }
      Markup("p") {
        for (place, saying) in sayings.enumerated() {
          place == 0 ? "" : " "
          translator.said(saying)
        }
      }
    }
  }
}
