import MemlabHeapModel
import MemlabKit
import MemlabWalk

/// The endings of a scenario: without a script one below the other, with it as a player.
struct PlayerPart {
  /// The scenario.
  let scenario: Scenario
  /// Its endings, as they were filmed.
  let reel: FilmReel
  /// The code of what the endings do.
  let steps: [FilmReel.Code]
  /// What beliefs say of all endings of the site.
  let beliefs: BeliefTable
  /// Says its words.
  let translator: Translator

  /// The tabs, the code and the endings.
  var markup: Markup {
    let open = reel.endings.map { FilmStrip($0, of: reel) }
    let closed = reel.endings.map { FilmStrip($0, of: reel, isClosed: true) }
    let hasInsides = open.map(\.all) != closed.map(\.all)
    let (strips, shapes) = FilmStrip.placed(open)
    let (closedStrips, closedShapes) = FilmStrip.placed(hasInsides ? closed : [], at: "c")
    let articles = reel.endings.enumerated().map { place, ending in
      article(ending, place, strips[place], closed: hasInsides ? closedStrips[place] : nil)
    }
    let code = ListingPart.markup(
      of: reel.code, "code", translator("The code under study"), probe: translator)
    let does = ListingPart.markup(of: steps, "steps", translator("What the endings do"))
    let pieces = [
      "tabs": TabsPart.markup(reel.endings.map { ($0.name, $0.title) }, translator),
      "shapes": Markup([shapes, closedShapes]), "causes": WalkPart.causes(translator),
      "code": code ?? Markup([]), "steps": does ?? Markup([]), "endings": Markup(articles),
    ]
    return Markup(file: "player", [:], pieces) { translator($0) }
  }

  private func walk(_ ending: Ending, _ film: Film, _ place: Int) -> Walk {
    var walk = Walk(scenario, ending, film, place: (place + 1, reel.endings.count))
    walk.before = place > 0 ? reel.endings[place - 1].film?.report : nil
    return walk
  }

  private func article(
    _ filmed: FilmedEnding, _ place: Int, _ strip: FilmStrip, closed: FilmStrip?
  ) -> Markup {
    let name = filmed.name
    let ending = scenario.endings.first { $0.name == name }
    return Markup("article", ["class": "ending", "id": name, "aria-labelledby": "\(name)/h"]) {
      Markup("h3", ["id": "\(name)/h"]) {
        Markup("span", ["class": "kicker"]) { translator("ending") }
        " "
        Markup("code") { name }
        " "
        Markup("span", ["class": "phrase"]) { translator.said(filmed.title) }
      }
      if let film = filmed.film, let ending {
        let walk = walk(ending, film, place)
        let steps = StepPart(walk, strip, closed: closed, translator)
        let part = WalkPart(walk: walk, beliefs: beliefs, translator: translator)
        part.prediction
        Markup(film.moments.indices.map(steps.markup(at:)))
        part.result
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
    let label = translator.plain("Endings")
    return Markup("nav", ["class": "tabs", "aria-label": label, "data-t-label": "Endings"]) {
      for ending in endings {
        let tip = translator.isScenarioTranslated ? ending.title : nil
        Markup("a", ["href": "#\(ending.name)", "title": ending.title, "data-t-tip": tip]) {
          ending.name
        }
      }
    }
  }
}

/// The code under study, a line each, so that a step can mark those that run or wait.
enum ListingPart {
  /// Parts of files, each file in a box; nil where there is none.
  ///
  /// - Parameters:
  ///   - codes: the parts, those of one file together.
  ///   - anchor: the id in the page.
  ///   - caption: what they are.
  ///   - probe: says what the probes in them are; nil where they are no classes.
  static func markup(
    of codes: [FilmReel.Code], _ anchor: String, _ caption: Markup, probe: Translator? = nil
  ) -> Markup? {
    guard !codes.isEmpty else { return nil }
    return Markup("figure", ["class": "code", "id": anchor]) {
      Markup("figcaption") {
        caption
        if let probe, codes.contains(where: { $0.text.contains("Probe(") }) {
          " "
          Markup("small") {
            probe("A Probe counts the objects of its class; it holds none of them.")
          }
        }
      }
      for path in codes.map(\.path).uniqued() {
        Markup("p", ["class": "file"]) { path }
        Markup.scrolling(path) {
          for code in codes where code.path == path { Markup("pre") { lines(of: code) } }
        }
      }
    }
  }

  private static func lines(of code: FilmReel.Code) -> Markup {
    let file = code.path.split(separator: "/").last ?? ""
    let lines = code.text.split(separator: "\n", omittingEmptySubsequences: false)
    return Markup("code", ["data-file": "\(file)"]) {
      for (place, line) in lines.enumerated() {
        // The style sheet shows the number.
        Markup("span", ["class": "row", "data-line": "\(code.line + place)"]) {
          SwiftCode.markup(of: String(line))
        }
      }
    }
  }
}

extension WalkPart {
  /// The verdict on the ending, why it is so, and who holds what is left.
  var result: Markup {
    let anchor = "\(walk.ending.name)/result"
    let trial = walk.film.report
    let attributes: KeyValuePairs<String, String?> = [
      "class": "step result \(trial.verdict.rawValue)", "id": anchor,
      "aria-labelledby": "\(anchor)/h", "tabindex": "-1",
    ]
    return Markup("section", attributes) {
      Markup("h4", ["id": "\(anchor)/h"]) { translator("The result") }
      Markup("div", ["class": "predicted", "role": "status"])
      VerdictMark.line(for: trial, said: translator.said)
      DifferenceList.markup(for: trial)
      trial.asExpected
        ? Markup("p", ["class": "explanation"]) { translator.said(walk.ending.explanation) }
        : EndingPart.unexplained
      figures
      HoldersPart.markup(for: trial, anchor: anchor)
      answers
      ClaimsPart.markup(for: trial)
    }
  }

  /// A scenario's own figures; nil where it has none.
  private var figures: Markup? {
    let metrics = walk.film.report.metrics
    guard !metrics.isEmpty else { return nil }
    return Markup("ul", ["class": "figures"]) {
      for (metric, value) in metrics.sorted(by: { $0.key < $1.key }) {
        Markup("li") {
          Markup("code") { metric.rawValue }
          " \(value)"
        }
      }
    }
  }
}
