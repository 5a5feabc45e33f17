/// The style sheets, scripts, translations and fixed parts of memlab's pages, as they were when this was
/// built.
///
/// The plugin `MemlabEmbed` writes `Embedded.files` in each build, from the folder `Files`.
package enum PageFile: String, CaseIterable, Sendable {
  /// The style of the page of `memlab report`, and the first part of the site's.
  case reportStyle = "report.css"
  /// The keys of the page of `memlab report`.
  case reportScript = "report.js"
  /// The rest of the site's style.
  case siteStyle = "site.css"
  /// What follows where a picture is cut, and how readers cut it.
  case cutScript = "cut.js"
  /// The player of the site.
  case playerScript = "player.js"
  /// The search, the languages and the keys of the site, which come last.
  case siteScript = "site.js"
  /// The site in Korean.
  case korean = "ko.po"
  /// The site in Japanese.
  case japanese = "ja.po"
  /// The site in Chinese.
  case chinese = "zh.po"

  /// What is in the file.
  package var text: String { Self.text(of: rawValue) }

  /// What is in the file of a name. One that is missing traps.
  package static func text(of name: String) -> String {
    guard let text = Embedded.files[name] else {
      preconditionFailure("the build has left out the file \(name)")
    }
    return text
  }
}
