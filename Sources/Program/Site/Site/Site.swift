package import MemlabKit
import MemlabPageFiles
import MemlabPlatform
import MemlabTerminalText
import MemlabWalk

/// The course as files for a browser: everything that it shows comes from the films and from the
/// texts of the checkout.
package struct Site {
  private let reels: [(scenario: Scenario, reel: FilmReel)]
  private let shelf: LessonShelf
  private let repository: String?
  private let isBesideLeakCheck: Bool

  /// The folder of the first page of LeakCheck's documentation, below the site's, where DocC has written
  /// it. The link has no file's name: DocC's script looks for a page by the address.
  package static let leakCheckPage = "leakcheck/documentation/leakcheck/"

  /// The site of a course.
  ///
  /// - Parameters:
  ///   - reels: the scenarios and what was filmed of them.
  ///   - shelf: the texts of the course.
  ///   - repository: the address of the repository, without a slash at its end; nil where none is
  ///     known.
  ///   - isBesideLeakCheck: whether there is a ``leakCheckPage`` to link to.
  package init(
    reels: [(scenario: Scenario, reel: FilmReel)], shelf: LessonShelf, repository: String?,
    isBesideLeakCheck: Bool
  ) {
    (self.reels, self.shelf, self.repository) = (reels, shelf, repository)
    self.isBesideLeakCheck = isBesideLeakCheck
  }

  /// The files by their paths below the site's folder, in the order in which they are written.
  ///
  /// - Throws: what reading the texts of the checkout throws.
  package func files() throws -> [(path: String, text: String)] {
    var pages = try pages()
    for page in pages.indices { pages[page].isBesideLeakCheck = isBesideLeakCheck }
    return [
      ("site.css", Self.style), ("site.js", Self.script),
      ("languages.js", try Self.languages(on: pages)), ("search.js", try search()),
    ] + pages.map { ($0.path, $0.text) }
  }

  /// What the pages look like.
  static let style = ["report.css", "site.css"].map(PageFile.text(of:)).joined()
  /// What they do.
  static let script = ["cut.js", "player.js", "site.js"].map(PageFile.text(of:)).joined()

  private func pages() throws -> [SitePage] {
    let lessons = LessonPages(reels: reels, repository: repository)
    let front = FrontPage(
      reels: reels, lessons: try shelf.lessons.map { ($0, try shelf.title(of: $0)) },
      repository: repository)
    let glossary = try shelf.document("Documentation/Glossary.md")
    let beliefs = BeliefTable(reels.flatMap { $0.reel.beliefs(about: $0.scenario) })
    return [front.page]
      + (try shelf.lessons.flatMap { folder in
        let text = try shelf.text(of: folder)
        let languages = Self.languages(of: text)
        return languages.map { lessons.lesson(folder, text, in: $0, of: languages) }
      }) + Language.allCases.map { lessons.glossary(glossary, in: $0) }
      + reels.flatMap { scenario, reel -> [SitePage] in
        let fix = reels.first { $0.scenario.id == scenario.fixedBy }
        let pages = ScenarioPages(
          scenario: scenario, reel: reel, fix: fix.map { ($0.scenario, $0.reel) },
          steps: EndingCode(reel: reel, shelf: shelf).parts, beliefs: beliefs)
        return [pages.page] + [pages.beside].compactMap(\.self)
      }
  }

  /// The languages that most of a text is translated into, and English.
  static func languages(of text: String) -> [Language] {
    let texts = MarkdownMarkup.texts(of: text)
    return Language.allCases.filter { language in
      language == .en || texts.count { language.catalog[$0] != nil } * 2 > texts.count
    }
  }

  /// The site's own words for the script that changes the language of a page.
  private static func languages(on pages: [SitePage]) throws -> String {
    let own = words(on: pages)
    let all = Dictionary(
      uniqueKeysWithValues: Language.allCases.dropFirst().map { language in
        (language.rawValue, language.catalog.filter { own.contains($0.key) })
      })
    return "window.memlabLanguages = \(try JSONText.text(of: all));\n"
  }

  /// Every text of the site's own that some page has.
  private static func words(on pages: [SitePage]) -> Set<String> {
    pages.filter { $0.translator.language == .en }.reduce(
      into: Set(ScriptWords.all + Goal.all.map(\.text))
    ) { words, page in
      for match in page.text.matches(of: /data-t(?:-[a-z]+)?="([^"]*)"[^>]*>([^<]*)/) {
        let text = String(match.1.isEmpty ? match.2 : match.1).replacing("&#39;", with: "'")
        words.insert(
          text.replacing("&quot;", with: "\"").replacing("&gt;", with: ">")
            .replacing("&amp;", with: "&"))
      }
    }
  }
}

extension Site {
  /// What the search finds, in every language: scenarios, parts of lessons, words of the glossary. Of
  /// each its title, its address and further words, as a script.
  private func search() throws -> String {
    let scenarios = reels.map { scenario, reel in
      [
        "\(scenario.id): \(scenario.title)", "scenarios/\(scenario.id).html",
        ([scenario.document.title, scenario.document.family] + Self.translations(of: scenario.title)
          + reel.endings.map { "\($0.name) \($0.title)" }).joined(separator: " "),
      ]
    }
    let lessons = try shelf.lessons.flatMap { folder in
      let title = try shelf.title(of: folder)
      return MarkdownBlock.blocks(of: try shelf.text(of: folder)).compactMap { block -> [String]? in
        guard case .heading(let text, let level) = block else { return nil }
        let anchor = level == 1 ? "" : "#\(MarkdownMarkup.anchor(of: text))"
        return [
          level == 1 ? title : "\(title): \(text)", "lessons/\(folder).html\(anchor)",
          (["lesson"] + Self.translations(of: text)).joined(separator: " "),
        ]
      }
    }
    let terms = MarkdownBlock.blocks(of: try shelf.document("Documentation/Glossary.md"))
      .compactMap { block -> [String]? in
        guard case .item(let text, _) = block else { return nil }
        let plain = InlineText(text).plain
        return [
          String(plain.prefix { $0 != ":" }), "glossary.html",
          ([plain] + Self.translations(of: text)).joined(separator: " "),
        ]
      }
    return "window.memlabSearch = \(try JSONText.text(of: scenarios + lessons + terms));\n"
  }

  private static func translations(of text: String) -> [String] {
    Language.allCases.compactMap { $0.catalog[text] }
  }
}
