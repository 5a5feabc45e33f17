import MemlabKit
import MemlabReports
import MemlabTerminalText

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
          for (place, filmed) in reel.endings.enumerated() {
            article(filmed, place, strips[place])
          }
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
        EndingSteps(walk(ending, film, place), strip, translator).markup
      } else {
        Markup("p", ["class": "alarm"]) { filmed.failure ?? "" }
        Markup("p", ["class": "missing"]) {
          translator("This ending could not be measured, so nothing is drawn.")
        }
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

/// One ending: the question, the steps, the result. The script adds a bar to go from one to the other.
private struct EndingSteps {
  private let walk: Walk
  private let strip: FilmStrip
  private let translator: Translator

  /// An ending, and its pictures.
  init(_ walk: Walk, _ strip: FilmStrip, _ translator: Translator) {
    (self.walk, self.strip, self.translator) = (walk, strip, translator)
  }

  /// The question, the steps and the result.
  var markup: Markup {
    let steps = StepPart(walk, strip, translator)
    return Markup([
      PredictionPart(walk, translator).markup,
      Markup(walk.film.moments.indices.map(steps.markup(at:))),
      ResultPart(walk, translator).markup,
    ])
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
