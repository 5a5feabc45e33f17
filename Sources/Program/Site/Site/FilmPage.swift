package import MemlabKit
package import MemlabWalk

/// The player of one scenario as a page by itself, with its style and its script in it: a recording of
/// one's own, to open and to pass on.
package enum FilmPage {
  /// The file, which an XML parser can read, too.
  package static func text(of scenario: Scenario, _ reel: FilmReel) -> String {
    let pages = ScenarioPages(
      scenario: scenario, reel: reel, fix: nil, steps: [],
      beliefs: BeliefTable(reel.beliefs(about: scenario)))
    let style = Markup("style") { Markup(verbatim: Site.style) }.source
    // Where HTML sees comments of JavaScript, XML sees what is to be taken as it stands.
    let script = "<script>//<![CDATA[\n\(Site.script)//]]></script>\n"
    return pages.page.text
      .replacing(/<link rel="stylesheet".*?>/, with: { _ in style })
      .replacing(/<script src=.*?<\/script>\n?/, with: { _ in "" })
      .replacing("className = 'js'", with: "className = 'js embed'")
      .replacing("</body>", with: script + "</body>")
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
