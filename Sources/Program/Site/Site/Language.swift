import MemlabKit
import MemlabPageFiles
import MemlabReports
import MemlabWalk

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

  private static let catalogs: [Language: [String: String]] = [
    .ko: TranslationFile.read(PageFile.korean.text),
    .ja: TranslationFile.read(PageFile.japanese.text),
    .zh: TranslationFile.read(PageFile.chinese.text),
  ]
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
  package static let all = [
    "right", "not what was measured", "Your prediction", "Measured", "waits", "runs", "ends",
    "Nothing was found.", "Found:", "The search could not be loaded.",
    "hidden until you have predicted", "Predict first, or skip the question.",
    "objects deinitialised", "tasks still live", "as much as before", "First", "Back",
    "Next", "Last", "Predict",
    "Step #", "Steps", "The result", "That step", "The next ending", "Keys", "Close",
    "Nothing is answered yet: choose an answer, or skip the question.",
    "Keys of one letter or digit", "#1, gone", "#1 holds #2", "#1 no longer holds #2",
    "#1 holds #2 by #3", "#1 no longer holds #2 by #3", "new", "not on the other side",
    "#1 refers to #2 (#3) and does not hold it", "#1 no longer refers to #2 (#3)",
    "strong references: #1", "strong references: #1, before: #2", "In a picture: the next part",
    "Cut, drop or ask", "Undo", "Back to what was measured", "Whole picture",
    "What if there were a garbage collector?", "Computed, not measured:",
    "without #1, this goes: #2.", "without #, nothing goes.", "# stays:", "What leads to #:",
    "A tracing collector would free this, because no root leads to it: #.",
    "A tracing collector would free nothing here: a root leads to all that is left. A task that "
      + "waits is a root, too.",
    "Press an arrow to cut it, a variable or a task to drop it, an object to see what leads to it.",
    "Too much: this is lost: #.", "The goal does not allow this cut.", "Not yet.", "this step",
    "Solved with #1; the least number of cuts is #2.", "A goal:",
  ]
}
