package import MemlabKit
import MemlabWalk

/// The player of one scenario as a page by itself, with its style and its script in it: a recording of
/// one's own, to open and to pass on.
package enum FilmPage {
  /// The file, which an XML parser can read, too.
  package static func text(of scenario: Scenario, _ reel: FilmReel) -> String {
    var page = ScenarioPages(
      scenario: scenario, reel: reel, fix: nil, steps: [],
      beliefs: BeliefTable(reel.beliefs(about: scenario))
    ).page
    page.isAlone = true
    return page.text
  }
}

extension FilmReel {
  /// What beliefs say of the endings that were filmed.
  func beliefs(about scenario: Scenario) -> [BeliefTable.Row] {
    endings.compactMap { filmed in
      let ending = scenario.endings.first { $0.name == filmed.name }
      guard let ending, let film = filmed.film else { return nil }
      return BeliefTable.Row(scenario, ending, film)
    }
  }
}
