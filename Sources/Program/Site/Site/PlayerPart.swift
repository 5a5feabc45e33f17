import MemlabKit
import MemlabReports
import MemlabTerminalText
import MemlabWalk

/// The endings of a scenario: without a script one below the other, with it as a player.
struct PlayerPart {
  private let scenario: Scenario
  private let reel: FilmReel
  private let translator: Translator

  /// The endings of a scenario, as they were filmed.
  init(_ scenario: Scenario, _ reel: FilmReel, _ translator: Translator) {
    (self.scenario, self.reel, self.translator) = (scenario, reel, translator)
  }

  /// The tabs, the code and the endings.
  var markup: Markup {
    let (strips, shapes) = FilmStrip.placed(reel.endings.map { FilmStrip($0) })
    return Markup("div", ["class": "player"]) {
      Markup("h2", ["class": "spoken"]) { translator("Endings") }
      TabsPart.markup(reel.endings.map { ($0.name, $0.title) }, translator)
      shapes
      PredictionPart.causes(translator)
      Markup("div", ["class": "desk"]) {
        ListingPart.markup(of: reel, translator)
        Markup("div", ["class": "endings"]) {
          for (place, filmed) in reel.endings.enumerated() { article(filmed, place, strips[place]) }
        }
      }
    }
  }

  private func walk(_ ending: Ending, _ film: Film, _ place: Int) -> Walk {
    var walk = Walk(scenario, ending, film, place: (place + 1, reel.endings.count))
    walk.before = place > 0 ? reel.endings[place - 1].film?.report : nil
    return walk
  }

  private func article(_ filmed: FilmedEnding, _ place: Int, _ strip: FilmStrip) -> Markup {
    let ending = scenario.endings.first { $0.name == filmed.name }
    return Markup(
      "article",
      ["class": "ending", "id": filmed.name, "aria-labelledby": "\(filmed.name)/heading"]
    ) {
      Markup("h3", ["id": "\(filmed.name)/heading"]) {
        Markup("span", ["class": "kicker"]) { translator("ending") }
        " "
        Markup("code") { filmed.name }
        " "
        Markup("span", ["class": "phrase"]) { translator.said(filmed.title) }
      }
      if let film = filmed.film, let ending {
        let walk = walk(ending, film, place)
        let steps = StepPart(walk, strip, translator)
        PredictionPart(walk, translator).markup
        Markup(film.moments.indices.map(steps.markup(at:)))
        ResultPart(walk, translator).markup
      } else {
        Markup("p", ["class": "alarm"]) { filmed.failure ?? "" }
        Markup.missing(translator("This ending could not be measured, so nothing is drawn."))
      }
    }
  }
}

/// Which endings there are; nothing of how they come out.
enum TabsPart {
  /// Links to the endings.
  static func markup(_ endings: [(name: String, title: String)], _ translator: Translator) -> Markup
  {
    Markup("nav", ["class": "tabs", "aria-label": translator.plain("Endings")]) {
      for ending in endings {
        Markup("a", ["href": "#\(ending.name)", "title": ending.title]) { ending.name }
      }
    }
  }
}

/// The code under study, a line each, so that a step can mark those that run or wait.
enum ListingPart {
  /// The listings of a film.
  static func markup(of reel: FilmReel, _ translator: Translator) -> Markup {
    Markup("figure", ["class": "code", "id": "code"]) {
      Markup("figcaption") { translator("The code under study") }
      for code in reel.code {
        Markup("p", ["class": "file"]) { code.path }
        Markup.scrolling(code.path) { Markup("pre") { lines(of: code) } }
      }
    }
  }

  private static func lines(of code: FilmReel.Code) -> Markup {
    let file = code.path.split(separator: "/").last ?? ""
    let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
    return Markup("code") {
      for (place, line) in lines.enumerated() {
        Markup("span", ["class": "row", "data-line": "\(file):\(code.line + place)"]) {
          Markup("span", ["class": "no", "aria-hidden": "true"]) { "\(code.line + place)" }
          SwiftCode.markup(of: String(line))
        }
      }
    }
  }
}

/// The verdict on an ending, and why it is so.
struct ResultPart {
  private let walk: Walk
  private let translator: Translator

  /// The result of an ending.
  init(_ walk: Walk, _ translator: Translator) { (self.walk, self.translator) = (walk, translator) }

  /// The verdict, the explanation and who holds what is left.
  var markup: Markup {
    let anchor = "\(walk.ending.name)/result"
    let trial = walk.film.report
    return Markup.part("section", anchor, class: "step result \(trial.verdict.rawValue)") {
      Markup("h4", ["id": "\(anchor)/heading"]) { translator("The result") }
      Markup("div", ["class": "predicted", "role": "status"])
      VerdictMark.line(for: trial, said: translator.said)
      DifferenceList.markup(for: trial)
      trial.asExpected
        ? Markup("p", ["class": "explanation"]) { translator.said(walk.ending.explanation) }
        : EndingPart.unexplained
      FiguresPart.markup(for: trial)
      HoldersPart.markup(for: trial, anchor: anchor)
      AnswersPart(walk, translator).markup
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
