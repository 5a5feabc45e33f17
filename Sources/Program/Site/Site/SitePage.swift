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
    let page = Markup(
      "html",
      [
        "lang": translator.language.rawValue, "xmlns": "http://www.w3.org/1999/xhtml",
        "data-root": root,
      ]
    ) {
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
      Markup("meta", ["charset": "utf-8"])
      Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      Markup("meta", ["name": "color-scheme", "content": "light dark"])
      Markup("title") { title }
      Markup("link", ["rel": "stylesheet", "href": root + "site.css"])
      // A browser would ask the host for one.
      Markup("link", ["rel": "icon", "href": "data:,"])
      for language in translations where language != translator.language {
        Markup(
          "link",
          [
            "rel": "alternate", "hreflang": language.rawValue,
            "href": String(path.split(separator: "/").last ?? "").inLanguage(
              language, translator.language),
          ])
      }
      Markup("script", ["src": root + "site.js", "defer": "defer"])
    }
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
              "data-t-placeholder": "Search", "autocomplete": "off", "role": "combobox",
              "aria-expanded": "false", "aria-controls": "found", "aria-autocomplete": "list",
            ])
          Markup("ul", ["id": "found", "role": "listbox", "hidden": "hidden"])
        }
        Markup("label", ["class": "spoken", "for": "language"]) { translator("Language") }
        Markup("select", ["id": "language"]) {
          for language in Language.allCases {
            Markup(
              "option",
              [
                "value": language.rawValue, "lang": language.rawValue,
                "selected": language == translator.language ? "selected" : nil,
              ]
            ) { language.name }
          }
        }
        for theme in ["auto", "light", "dark"] {
          Markup(
            "input",
            [
              "type": "radio", "name": "theme", "id": "theme-\(theme)", "hidden": "hidden",
              "checked": theme == "auto" ? "checked" : nil,
            ])
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
            for language in translations where language != translator.language {
              Markup(
                "a",
                [
                  "lang": language.rawValue, "hreflang": language.rawValue,
                  "href": String(path.split(separator: "/").last ?? "").inLanguage(
                    language, translator.language),
                ]
              ) { language.name }
              " "
            }
          }
        }
      }
    ])
  }
}

extension String {
  /// A page's file name in another language.
  fileprivate func inLanguage(_ language: Language, _ own: Language) -> String {
    let bare = hasSuffix("\(own.suffix).html") ? dropLast("\(own.suffix).html".count) : dropLast(5)
    return bare + "\(language.suffix).html"
  }
}
