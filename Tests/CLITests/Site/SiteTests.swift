import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabReports
import MemlabScenarios
import MemlabSite
import MemlabTerminalText
import MemlabWalk
import TestSupport
import Testing

@Suite("memlab site") struct SiteTests {
  private static let clean = Result { try pages([Samples.scenario(claiming: .clean)]) }

  /// The pages of a course of one scenario, by their paths.
  private static func pages(
    _ scenarios: [Scenario], code: ExitCode = .success, beside other: String? = nil
  ) throws -> [String: String] {
    let folder = Scratch.place()
    if let other { try Scratch.write("<html/>", to: folder.appending(path: other)) }
    let page = Page()
    #expect(page.run(["site", folder.path], scenarios) == code, "\(page.errors)")
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String]
    return Dictionary(
      uniqueKeysWithValues: try #require(names).filter { $0.contains(".") }.map { name in
        (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
      })
  }

  @Test("writes pages that an XML parser can read, with each id once and no link to nothing")
  func wellFormed() throws {
    let files = try Self.clean.get()
    #expect(files["scenarios/sample.html"] != nil)
    #expect(files["lessons/01-who-owns-whom.ko.html"] != nil)
    for (name, text) in files where name.hasSuffix(".html") {
      let outline = XMLOutline(text)
      #expect(outline.error == nil, "\(name)")
      let ids = outline.values(of: "id")
      #expect(Set(ids).count == ids.count, "\(name)")
      #expect(outline.values(of: "src").allSatisfy { $0.hasSuffix("site.js") })
      for link in outline.values(of: "href") where !link.contains(":") {
        let parts = link.split(separator: "#", omittingEmptySubsequences: false)
        let path = URL(filePath: "/" + name).deletingLastPathComponent()
          .appending(path: String(parts[0])).standardized.path.dropFirst()
        // This course has one scenario, and the lessons speak of all; none speaks of it.
        guard !path.hasPrefix("scenarios/"), path != "lessons/none.html" else { continue }
        #expect(parts[0] == "" || files[String(path)] != nil, "\(name): \(link)")
      }
    }
  }

  @Test("says every word of its own in every language", arguments: [Language.ko, .ja, .zh])
  func translated(language: Language) throws {
    let files = try Self.clean.get()
    let own = Set(
      files.filter { $0.key.hasSuffix(".html") }.values.flatMap { text in
        text.matches(of: /data-t(?:-[a-z]+)?="([^"]*)"[^>]*>([^<]*)/)
          .map { String($0.1.isEmpty ? $0.2 : $0.1) }
      }.map { $0.replacing("&#39;", with: "'") })
    let goals = Goal.all.map(\.text)
    #expect(goals.count >= 10)
    let english = own.union(ScriptWords.all + goals).filter { $0.allSatisfy(\.isASCII) }
    #expect(english.count > 50)
    #expect(english.filter { language.catalog[$0] == nil } == [])
    let glossary = try #require(files["glossary.\(language).html"])
    #expect(!glossary.contains(#"<span lang="en">"#))
  }

  @Test(
    "says what lessons 01 and 02 ask and answer in every language",
    arguments: [Language.ko, .ja, .zh])
  func scenariosTranslated(language: Language) throws {
    let scenarios = App.memlab.scenarios.filter { ["01", "02"].contains($0.lesson?.prefix(2)) }
    #expect(scenarios.count == 12)
    let texts = try scenarios.flatMap { scenario -> [String] in
      let endings = scenario.endings.flatMap {
        [$0.title, scenario.question(before: $0), $0.explanation]
      }
      let steps = try Reports.of(scenario.id).trials.flatMap { $0.steps.map(\.text) }
      return [scenario.title, scenario.hint] + scenario.beliefs.map(\.because) + endings + steps
    }
    let replies = CauseQuestion.sentences + CutQuestion.sentences + BeliefRule.all.map(\.sentence)
    #expect(Set(texts + replies).filter { language.catalog[$0] == nil } == [])
  }

  // Two of each lesson, so that each has another to link to.
  private static let filmed = Result<[String: String], any Error> {
    let ids = ["retain-cycle", "stored-closure", "strong-self", "captured-owner"]
    let reels = try ids.map { id -> (scenario: Scenario, reel: FilmReel) in
      let film = try MemlabBinary.run(["film", id]).exits(0).stdout
      return (try #require(Catalog.scenario(id)), try film.decoded(as: FilmReel.self))
    }
    let shelf = try #require(LessonShelf.find())
    let site = Site(reels: reels, shelf: shelf, repository: nil, isBesideLeakCheck: false)
    return Dictionary(uniqueKeysWithValues: try site.files().map { ($0.path, $0.text) })
  }

  @Test(
    "names the belief behind a wrong answer, as walk does, and links to another pattern",
    .needsHeap, arguments: [("retain-cycle", "drop"), ("strong-self", "cancel")])
  func beliefs(id: String, ending: String) throws {
    let files = try Self.filmed.get()
    let articles = files["scenarios/\(id).html"]?.components(separatedBy: "<article ") ?? []
    let article = try #require(articles.first { $0.contains("id=\"\(ending)/result\"") })
    let replies = article.components(separatedBy: "<details data-cause=\"").dropFirst()
    #expect(replies.count == Cause.allCases.count)
    for (cause, reply) in zip(Cause.allCases, replies) {
      let words = ["walk", id, "--ending", ending, "--predict", "held=\(cause.rawValue)"]
      let said = try MemlabBinary.run(words).exits(0).stdout.joinedLines
      let belief = BeliefRule.all.first { said.contains("'memlab beliefs --for \($0.name)'") }
      let rule = reply.firstMatch(of: /^\w+" data-rule="([a-z-]+)"/).map { String($0.1) }
      #expect(rule == belief?.name, "\(cause)")
      guard let belief else { continue }
      for text in ["This follows from a belief:", belief.sentence, "Would it be right here?"] {
        #expect(reply.contains(">\(text.replacing("'", with: "&#39;"))</span>"))
        #expect(Language.allCases.dropFirst().allSatisfy { $0.catalog[text] != nil })
      }
      let link = try #require(reply.firstMatch(of: /<a href="([a-z-]+)\.html#([^"]+)">/))
      let other = try #require(Catalog.scenario(String(link.1)))
      #expect(other.id != id && other.lesson == Catalog.scenario(id)?.lesson)
      #expect(files["scenarios/\(other.id).html"]?.contains("id=\"\(link.2)\"") == true)
    }
  }

  @Test("writes the player of a scenario as a page that needs no other file", .needsHeap)
  func filmPage() throws {
    let page = try MemlabBinary.run(["film", "retain-cycle", "--html", "-"]).exits(0).stdout
    let outline = XMLOutline(page)
    #expect(outline.error == nil)
    #expect(outline.values(of: "src") == [])
    #expect(!outline.values(of: "href").contains { $0.hasSuffix(".css") })
    #expect(Set(outline.values(of: "id")).isSuperset(of: ["drop/predict", "drop/3", "cut/result"]))
    for part in ["class Player {", "class Bench {", "use.cut-here {"] {
      #expect(page.contains(part))
    }
  }

  @Test("keeps the places for numbers and names in every language") func places() {
    for language in Language.allCases {
      for (text, translation) in language.catalog where !text.contains("`") {
        let signs = [text, translation].map { $0.matches(of: /#\d?/).map { String($0.0) }.sorted() }
        #expect(signs[0] == signs[1], "\(language): \(text)")
      }
    }
  }

  @Test("fills values in, also those that have a number sign themselves") func values() {
    let saying = Saying("Cut #2 of #1, #3.", "closure #2", 7)
    #expect(saying.inWords == "Cut 7 of closure #2, #3.")
    #expect(saying.filling("#1: #2") == "closure #2: 7")
    #expect([Saying("Right."), saying].inWords == "Right. Cut 7 of closure #2, #3.")
  }

  @Test("knows every word that the script says") func scriptWords() throws {
    let script = try #require(try Self.clean.get()["site.js"])
    let said = script.matches(of: /(?:word|said)\("([^"]*)"\)/).map { String($0.1) }
    #expect(said.count > 8)
    #expect(said.filter { !ScriptWords.all.contains($0) } == [])
    #expect(ScriptWords.all.filter { !script.contains("\"\($0)\"") } == [])
  }

  @Test("says in place of pictures that the heap was not read") func unreadHeap() throws {
    let page = try #require(try Self.clean.get()["scenarios/sample.html"])
    #expect(page.contains("The heap was not read here, so there is no picture."))
    #expect(page.contains("Note: the heap was not read: a test has none."))
    #expect(!page.contains("<use "))
  }

  @Test("says in place of the steps why an ending could not be measured, and ends with 70")
  func failure() throws {
    let files = try Self.pages([Samples.restless], code: .untrusted)
    let page = try #require(files["scenarios/sample.html"])
    #expect(page.contains("This ending could not be measured, so nothing is drawn."))
    #expect(page.contains("class=\"alarm\">sample, ending &#39;end&#39;, step 1: "))
    #expect(files["index.html"]?.contains("What could not be measured") == true)
  }

  @Test("ends with 1 when a scenario breaks its word, and says so") func broken() throws {
    let files = try Self.pages([Samples.scenario(claiming: .leak)], code: .unexpected)
    #expect(files["scenarios/sample.html"]?.contains("NOT as expected") == true)
  }

  @Test("links to the documentation of LeakCheck where that has been written into the same folder")
  func documentation() throws {
    let page = "leakcheck/documentation/leakcheck/"
    let files = try Self.pages([Samples.scenario(claiming: .clean)], beside: page + "index.html")
    #expect(files["index.html"]?.contains("<a href=\"\(page)\">LeakCheck</a>") == true)
    #expect(
      files["scenarios/sample.html"]?.contains("<a href=\"../\(page)\">LeakCheck</a>") == true)
    #expect(try Self.clean.get()["index.html"]?.contains("leakcheck/") == false)
  }

  @Test("says where it cannot write") func unwritable() {
    Page.run(["site", "/dev/null/site"], [Samples.scenario(claiming: .clean)]).exits(.cannotWrite)
      .complains("'/dev/null/site' could not be written: Not a directory.")
  }

  @Test("reads translations as gettext writes them") func translations() {
    let file = #"""
      # a comment
      msgid "one \"thing\""
      msgstr "eins"

      msgid ""
      "two "
      "lines"
      msgstr ""
      "zwei "
      "Zeilen"

      msgid "three"
      msgstr ""
      """#
    #expect(TranslationFile.read(file) == ["one \"thing\"": "eins", "two lines": "zwei Zeilen"])
  }
}
