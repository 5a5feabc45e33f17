import MemlabKit

/// A page of the site: its file, what is around its content, and the content.
struct SitePage {
  /// Its file below the site's folder.
  let path: String
  /// What the window's title says.
  let title: String
  /// What it is said in.
  let translator: Translator
  /// The languages that the same text is there in, each in a file of its own.
  var translations: [Language] = []
  /// What the body is called in the style sheet.
  let kind: String
  /// What it shows.
  let content: Markup
  /// Whether LeakCheck's documentation is in the site's folder.
  var isBesideLeakCheck = false
  /// Whether its style and its script are in it, and it shows nothing that leads to other pages.
  var isAlone = false

  /// The way from this page to the site's folder.
  private var root: String { String(repeating: "../", count: path.count { $0 == "/" }) }

  /// The file; the same films always give the same bytes.
  ///
  /// What the script will hide never takes room: that there is one is known before anything is drawn.
  /// The page names an icon, or a browser would ask the host for one.
  var text: String {
    let words = [
      "language": translator.language.rawValue, "root": root, "title": title, "kind": kind,
      "suffix": translator.language.suffix, "search": translator.plain("Search"),
      "classes": isAlone ? "js embed" : "js",
    ]
    let pieces = [
      "content": content, "options": options, "translations": links, "alternates": alternates,
      "beside": beside, "style": style, "script": isAlone ? Markup([]) : script,
      "ownScript": isAlone ? Markup(script: Site.script) : Markup([]),
    ]
    return Markup(file: "page", words, pieces) { translator($0) }.source
  }

  private var style: Markup {
    isAlone
      ? Markup("style") { Markup(verbatim: Site.style) }
      : Markup("link", ["rel": "stylesheet", "href": "\(root)site.css"])
  }

  private var script: Markup {
    let failure = "document.documentElement.className = ''"
    return Markup("script", ["src": "\(root)site.js", "defer": "defer", "onerror": failure])
  }

  /// The same text in other languages, and the files that it is in.
  private var others: [(language: Language, file: String)] {
    let name = path.split(separator: "/").last ?? ""
    let bare = name.dropLast("\(translator.language.suffix).html".count)
    return translations.filter { $0 != translator.language }
      .map { ($0, "\(bare)\($0.suffix).html") }
  }

  @MarkupBuilder private var alternates: Markup {
    for (language, file) in others {
      Markup("link", ["rel": "alternate", "hreflang": language.rawValue, "href": file])
    }
  }

  /// The languages to choose from.
  @MarkupBuilder private var options: Markup {
    for language in Language.allCases {
      let (tag, selected) = (language.rawValue, language == translator.language)
      Markup("option", ["value": tag, "lang": tag, "selected": selected ? "selected" : nil]) {
        language.name
      }
    }
  }

  @MarkupBuilder private var beside: Markup {
    if isBesideLeakCheck {
      Markup("p") { Markup("a", ["href": root + Site.leakCheckPage]) { "LeakCheck" } }
    }
  }

  /// Links to the same text in other languages; nothing where there is none.
  @MarkupBuilder private var links: Markup {
    if !translations.isEmpty {
      Markup("p", ["class": "languages"]) {
        for (language, file) in others {
          let tag = language.rawValue
          Markup("a", ["lang": tag, "hreflang": tag, "href": file]) { language.name }
          " "
        }
      }
    }
  }
}
