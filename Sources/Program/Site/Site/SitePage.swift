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

  /// The way from this page to the site's folder.
  private var root: String { String(repeating: "../", count: path.count { $0 == "/" }) }

  /// The file; the same films always give the same bytes.
  var text: String {
    let attributes: KeyValuePairs<String, String?> = [
      "lang": translator.language.rawValue, "xmlns": "http://www.w3.org/1999/xhtml",
      "data-root": root,
    ]
    let page = Markup("html", attributes) {
      head
      Markup("body", ["class": "on-\(kind)"]) {
        Markup("a", ["class": "skip", "href": "#content"]) { translator("Skip to the content") }
        header
        Markup("main", ["id": "content", "tabindex": "-1"]) { content }
        footer
      }
    }
    return "<!DOCTYPE html>\n" + page.source
  }

  private var head: Markup {
    Markup("head") {
      Markup.metadata
      Markup("title") { title }
      // Known before anything is drawn: what the script will hide never takes room.
      Markup("script") { Markup(verbatim: "document.documentElement.className = 'js'") }
      Markup("link", ["rel": "stylesheet", "href": root + "site.css"])
      // A browser would ask the host for one.
      Markup("link", ["rel": "icon", "href": "data:,"])
      for (language, file) in others {
        Markup("link", ["rel": "alternate", "hreflang": language.rawValue, "href": file])
      }
      Markup(
        "script",
        [
          "src": root + "site.js", "defer": "defer",
          "onerror": "document.documentElement.className = ''",
        ])
    }
  }

  /// The same text in other languages, and the files that it is in.
  private var others: [(language: Language, file: String)] {
    let name = path.split(separator: "/").last ?? ""
    let bare = name.dropLast("\(translator.language.suffix).html".count)
    return translations.filter { $0 != translator.language }
      .map { ($0, "\(bare)\($0.suffix).html") }
  }

  private var header: Markup {
    Markup("header", ["class": "site"]) {
      Markup("nav", ["aria-label": "memlab"]) {
        Markup("a", ["class": "home", "href": root + "index.html"]) { "memlab" }
        Markup("a", ["href": root + "index.html#lessons"]) { translator("Lessons") }
        Markup("a", ["href": root + "index.html#matrix"]) { translator("Patterns") }
        Markup("a", ["href": root + "glossary\(translator.language.suffix).html"]) {
          translator("Glossary")
        }
      }
      // What needs the script is shown by it.
      Markup("div", ["class": "tools", "hidden": "hidden"]) {
        Markup("div", ["class": "search", "role": "search"]) {
          Markup("label", ["class": "spoken", "for": "search"]) { translator("Search") }
          Markup(
            "input",
            [
              "id": "search", "type": "search", "placeholder": translator.plain("Search"),
              "data-t-placeholder": "Search", "autocomplete": "off",
            ])
          Markup("div", ["class": "found", "hidden": "hidden"]) {
            Markup("p", ["id": "found-notice", "role": "status"])
            Markup("ul", ["id": "found"])
          }
        }
        Markup("label", ["class": "spoken", "for": "language"]) { translator("Language") }
        Markup("select", ["id": "language"]) {
          for language in Language.allCases {
            let (tag, selected) = (language.rawValue, language == translator.language)
            Markup("option", ["value": tag, "lang": tag, "selected": selected ? "selected" : nil]) {
              language.name
            }
          }
        }
        for theme in ["auto", "light", "dark"] {
          let (id, checked) = ("theme-\(theme)", theme == "auto" ? "checked" : nil)
          Markup(
            "input",
            ["type": "radio", "name": "theme", "id": id, "hidden": "hidden", "checked": checked])
        }
        Markup("button", ["type": "button", "id": "theme"]) { translator("Dark or light") }
        Markup("button", ["type": "button", "id": "large", "aria-pressed": "false"]) {
          translator("Large type")
        }
        Markup("button", ["type": "button", "id": "show-keys"]) { translator("Keys") }
      }
    }
  }

  private var footer: Markup {
    Markup([
      Markup("footer", ["class": "page"]) {
        Markup("p") {
          translator(
            "Everything here was measured by memlab. Nothing is loaded from anywhere else.")
        }
        if isBesideLeakCheck {
          Markup("p") { Markup("a", ["href": root + Site.leakCheckPage]) { "LeakCheck" } }
        }
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
    ])
  }
}
