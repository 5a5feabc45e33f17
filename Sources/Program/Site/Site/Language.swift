import MemlabKit
import MemlabPageFiles
import MemlabReports

/// A language of the site.
package enum Language: String, CaseIterable, Sendable {
  /// The languages, as HTML has them.
  case en, ko, ja, zh

  /// What the language calls itself.
  package var name: String {
    switch self {
    case .en: "English"
    case .ko: "한국어"
    case .ja: "日本語"
    case .zh: "中文"
    }
  }

  /// What follows the name of a page's file: nothing in English.
  package var suffix: String { self == .en ? "" : ".\(rawValue)" }

  /// The translations into it by the English texts; none for English.
  package var catalog: [String: String] { Self.catalogs[self] ?? [:] }

  private static let catalogs = Dictionary(
    uniqueKeysWithValues: allCases.dropFirst().map {
      ($0, TranslationFile.read(PageFile.text(of: "\($0.rawValue).po")))
    })
}

/// Texts and their translations in the form of GNU gettext, which translators have tools for; see
/// https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html.
package enum TranslationFile {
  /// The translations of a file by the texts that they translate; comments are left out.
  package static func read(_ file: String) -> [String: String] {
    var (texts, key): ([String: String], String) = ([:], "")
    var isKey = false
    for line in file.split(separator: "\n") where !line.hasPrefix("#") {
      guard let start = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\""), start < end
      else { continue }
      let text = unescaped(line[line.index(after: start)..<end])
      if line.hasPrefix("msgid") {
        (key, isKey) = (text, true)
      } else if line.hasPrefix("msgstr") {
        (texts[key], isKey) = (text, false)
      } else if isKey {
        key += text
      } else {
        texts[key, default: ""] += text
      }
    }
    return texts.filter { !$0.key.isEmpty && !$0.value.isEmpty }
  }

  private static func unescaped(_ text: Substring) -> String {
    var isEscaped = false
    return text.reduce(into: "") { result, character in
      if character == "\\" && !isEscaped {
        isEscaped = true
      } else {
        result.append(isEscaped && character == "n" ? "\n" : character)
        isEscaped = false
      }
    }
  }
}

/// Says the site's own words in one language, so that a script can say them in another.
struct Translator {
  /// The language.
  let language: Language
  /// Whether the texts of the scenario that it speaks of are there in every language.
  var isScenarioTranslated = false

  /// A text in this language, marked with the English one where that is another; `#` in it stands
  /// for a number or a name.
  func callAsFunction(_ text: String, _ value: (any CustomStringConvertible)? = nil) -> Markup {
    let said = plain(text, value)
    let source = said == text ? "" : text
    return Markup("span", ["data-t": source, "data-n": value?.description]) { said }
  }

  /// A text of a scenario, marked where it can be said in other languages.
  func said(_ text: String) -> Markup { said(Saying(text)) }

  /// The same with numbers and names, which `#1` and `#2` stand for in the text.
  func said(_ saying: Saying) -> Markup {
    guard isScenarioTranslated else { return Markup(text: saying.inWords) }
    let isPlain = saying.values.isEmpty
    let values = isPlain ? nil : saying.values.joined(separator: "|")
    return Markup("span", ["data-t": isPlain ? "" : saying.text, "data-n": values]) {
      saying.inWords
    }
  }

  /// The same for an attribute.
  func plain(_ text: String, _ value: (any CustomStringConvertible)? = nil) -> String {
    let said = language.catalog[text] ?? text
    return value.map { said.replacing("#", with: $0.description) } ?? said
  }
}

/// The words that only the site's script says.
package enum ScriptWords {
  /// The words in English, each as it stands in the script.
  package static let all = PageFile.text(of: "script-words.txt").split(separator: "\n")
    .map(String.init)
}
