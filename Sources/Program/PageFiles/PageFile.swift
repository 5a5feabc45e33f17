/// The style sheets, scripts, translations and fixed parts of memlab's pages, as they were when this
/// was built.
///
/// The plugin `MemlabEmbed` writes `Embedded.files` in each build, from the folder `Files`. There,
/// `report.css` is the first part of the site's style, too. Of the site's scripts, `cut.js` knows what
/// follows where a picture is cut, and how readers cut it; `player.js` is the player; `site.js` has the
/// search, the languages and the keys, which come last.
package enum PageFile {
  /// What is in the file of a name. One that is missing traps.
  package static func text(of name: String) -> String {
    guard let text = Embedded.files[name] else {
      preconditionFailure("the build has left out the file \(name)")
    }
    return text
  }
}
