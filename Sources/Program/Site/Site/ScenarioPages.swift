import MemlabKit
import MemlabWalk

/// The pages of one scenario: its player, and the player beside its fix.
struct ScenarioPages {
  /// The scenario.
  let scenario: Scenario
  /// What was filmed of it.
  let reel: FilmReel
  /// The scenario that fixes it, with its film; nil where there is none.
  let fix: (scenario: Scenario, reel: FilmReel)?
  /// The code of what its endings do.
  let steps: [FilmReel.Code]
  /// What beliefs say of all endings of the site.
  let beliefs: BeliefTable

  /// Marks its texts for translation, if all of them are translated.
  private var translator: Translator {
    let isTranslated = Language.allCases.dropFirst().allSatisfy {
      $0.catalog[scenario.title] != nil
    }
    return Translator(language: .en, isScenarioTranslated: isTranslated)
  }

  /// The page with the player.
  var page: SitePage {
    let words = [
      "id": scenario.id, "document": scenario.document.title, "place": scenario.place,
      "lesson": scenario.lesson ?? "",
    ]
    let player = PlayerPart(
      scenario: scenario, reel: reel, steps: steps, beliefs: beliefs, translator: translator)
    let pieces = [
      "title": translator.said(scenario.title), "remark": Markup.note(reel.remark),
      "player": player.markup, "onwards": onwards,
    ]
    return SitePage(
      path: "scenarios/\(scenario.id).html", title: "\(scenario.id) · memlab",
      translator: translator, kind: "scenario",
      content: Markup(file: "scenario", words, pieces) { translator($0) })
  }

  @MarkupBuilder private var onwards: Markup {
    if let fix {
      if !pairs.isEmpty {
        Markup("a", ["href": "../beside/\(scenario.id).html"]) { translator("Beside its fix") }
        " "
      }
      link("The fix", to: fix.scenario.id)
    }
    if let next = scenario.next {
      " "
      link("Next pattern", to: next)
    }
  }

  private func link(_ what: String, to id: String) -> Markup {
    Markup("a", ["href": "\(id).html"]) {
      translator(what)
      ": \(id)"
    }
  }

  /// The endings that it and its fix have both.
  private var pairs: [(FilmedEnding, FilmedEnding)] {
    reel.endings.compactMap { left in
      fix?.reel.endings.first { $0.name == left.name && $0.film != nil && left.film != nil }
        .map { (left, $0) }
    }
  }

  /// The page that shows it beside its fix; nil where there is none, or no ending that both have.
  var beside: SitePage? {
    let pairs = pairs
    guard let fix, !pairs.isEmpty else { return nil }
    let strips = pairs.flatMap { left, right in
      let left = FilmStrip(left, of: reel, isClosed: true)
      let right = FilmStrip(right, of: fix.reel, isClosed: true)
      return [left.sharingPlaces(with: right), right.sharingPlaces(with: left)]
    }
    let (placed, shapes) = FilmStrip.placed(strips)
    let endings = pairs.enumerated().map { place, pair in
      let (first, second) = (placed[2 * place], placed[2 * place + 1])
      return BesidePart(
        sides: [
          .init(scenario: scenario, filmed: pair.0, strip: first.lit(against: second)),
          .init(scenario: fix.scenario, filmed: pair.1, strip: second.lit(against: first)),
        ], translator: translator
      ).markup
    }
    let pieces = [
      "tabs": TabsPart.markup(pairs.map { ($0.0.name, $0.0.title) }, translator),
      "shapes": shapes, "endings": Markup(endings),
    ]
    return SitePage(
      path: "beside/\(scenario.id).html", title: "\(scenario.id) | \(fix.scenario.id)",
      translator: translator, kind: "beside",
      content: Markup(file: "beside", ["id": scenario.id, "fix": fix.scenario.id], pieces) {
        translator($0)
      })
  }
}

/// One ending of two scenarios, step by step beside each other.
struct BesidePart {
  /// An ending of one of the two scenarios.
  struct Side {
    /// The scenario.
    let scenario: Scenario
    /// What was filmed of the ending.
    let filmed: FilmedEnding
    /// Its pictures, with a place in the page.
    let strip: FilmStrip
  }

  /// The same ending of both.
  let sides: [Side]
  /// The language of the page.
  let translator: Translator

  private var name: String { sides[0].filmed.name }

  private var count: Int { sides.compactMap { $0.filmed.film?.moments.count }.max() ?? 0 }

  /// The steps, two beside each other, and the results.
  var markup: Markup {
    Markup("article", ["class": "ending", "id": name, "aria-labelledby": "\(name)/h"]) {
      Markup("h3", ["id": "\(name)/h"]) {
        Markup("code") { name }
        " "
        Markup("span", ["class": "phrase"]) { translator.said(sides[0].filmed.title) }
      }
      for step in 0..<count { section("\(name)/\(step + 1)") { side in part(side, at: step) } }
      section("\(name)/result") { side in result(side) }
    }
  }

  private func section(_ anchor: String, _ content: (Int) -> Markup) -> Markup {
    Markup("section", ["class": "step", "id": anchor, "aria-label": anchor, "tabindex": "-1"]) {
      Markup("div", ["class": "twins"]) {
        for side in sides.indices {
          Markup("div", ["class": "side"]) {
            Markup("p", ["class": "kicker"]) { Markup("code") { sides[side].scenario.id } }
            content(side)
          }
        }
      }
    }
  }

  private func part(_ side: Int, at step: Int) -> Markup {
    guard let film = sides[side].filmed.film, step < film.moments.count
    else { return Markup.missing(translator("This side has no more steps.")) }
    let moment = film.moments[step]
    return Markup([
      Markup("h4") {
        Markup("span", ["class": "number"]) { "\(moment.step.index)" }
        " "
        Markup("span", ["class": "what"]) { translator.said(moment.step.text) }
      },
      ChangesPart.markup(of: moment.step, translator),
      FramePart.markup(sides[side].strip, at: step, translator),
    ])
  }

  private func result(_ side: Int) -> Markup {
    guard let film = sides[side].filmed.film else { return Markup([]) }
    let graph = film.report.graph
    let drawing = GraphDrawing(
      of: graph, anchor: "\(name)/result/\(side)", title: "Who holds what is left")
    return Markup([
      Markup("h4") { translator("The result") },
      VerdictMark.line(for: film.report, said: translator.said),
      graph.nodes.isEmpty ? Markup.missing("Nothing is left on the heap.") : drawing.figure(),
    ])
  }
}
