import Foundation
import MemlabKit
import MemlabScenarios
import MemlabSite
import MemlabTerminalText
import TestSupport
import Testing

@Suite("The page") struct HTMLPageTests {
  private static let catalog = Result { try MemlabBinary.run(["report", "--html", "-"]) }

  private func catalogPage() throws -> String {
    try Self.catalog.get().exits(0).complainsOfNothing().stdout
  }

  @Test("closes every tag, as an XML parser sees it") func wellFormed() throws {
    for page in [try catalogPage(), try HostileReport.page.text] {
      let outline = XMLOutline(page)
      #expect(outline.error == nil)
      #expect(outline.elements.last?.name == "script")
    }
  }

  @Test("takes no text for markup, whatever it holds") func hostile() throws {
    let outline = XMLOutline(try HostileReport.page.text)
    #expect(!outline.elements.contains { $0.name == "img" || $0.name == "b" })
    #expect(outline.elements.count { $0.name == "script" } == 1)
    let known: Set = ["svg", "html", "body"]
    #expect(known.isSubset(of: Set(outline.elements.map(\.name))))
    #expect(!outline.elements.contains { $0.attributes.keys.contains { $0.hasPrefix("on") } })
  }

  @Test("asks every question, those of endings as well") func questions() throws {
    let page = try catalogPage()
    // What is underlined as a link begins with a letter.
    #expect(!page.contains(#"content: " "#))
    let questions = Catalog.scenarios.flatMap { [$0.question] + $0.endings.compactMap(\.question) }
    let plain = questions.filter { !$0.contains { "'&<>\"".contains($0) } }
    #expect(plain.count > Catalog.scenarios.count / 2)
    #expect(plain.filter { !page.contains($0) } == [])
  }

  @Test("asks nothing of the network") func selfContained() throws {
    // A link is followed by somebody who wants to.
    let page = try catalogPage().replacing(#/ href="https:[^"]*"/#, with: "")
    let namespace = "http://www.w3.org/1999/xhtml"
    #expect(page.components(separatedBy: "://").count == 2)
    #expect(page.contains(namespace))
    for word in ["@import", "url(", "<link", "<img", "<iframe", " src="] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test("has each id once, and no link that leads nowhere") func links() throws {
    for page in [
      try catalogPage(), try MemlabBinary.run(["report", "strong-self", "--html=-"]).stdout,
    ] {
      let outline = XMLOutline(page)
      let ids = outline.values(of: "id")
      #expect(Set(ids).count == ids.count)
      let links = outline.values(of: "href").filter { !$0.hasPrefix("https:") }
        .map { String($0.dropFirst()) }
      let labels = outline.values(of: "aria-labelledby").flatMap {
        $0.split(separator: " ").map(String.init)
      }
      #expect((links + outline.values(of: "for") + labels).filter { !ids.contains($0) } == [])
    }
  }

  @Test("leads to the documents and the lessons that have an address") func addresses() throws {
    let links = Set(XMLOutline(try catalogPage()).values(of: "href"))
    let files = Set(Catalog.scenarios.map(\.document.file))
    #expect(links.filter { $0.contains(":") } == files.filter { $0.hasPrefix("https:") })
    #expect(Markup.link("a", to: "Notes/a.md").source == "a")
    #expect(Markup.link("a", to: "javascript:a").source == "a")
  }

  @Test("has headings without gaps, heads on all tables, and a name on all pictures", .needsHeap)
  func accessible() throws {
    let outline = XMLOutline(try catalogPage())
    let levels = outline.elements.compactMap { element in
      element.name.count == 2 && element.name.first == "h" ? Int(element.name.dropFirst()) : nil
    }
    #expect(levels.first == 1)
    #expect(levels.count { $0 == 1 } == 1)
    for (before, after) in zip(levels, levels.dropFirst()) { #expect(after <= before + 1) }
    for name in ["header", "main", "footer"] {
      #expect(outline.elements.count { $0.name == name } == 1, "\(name)")
    }
    let heads = outline.elements.filter { $0.name == "th" }
    #expect(heads.allSatisfy { ["col", "row"].contains($0.attributes["scope"]) })
    let pictures = outline.elements.filter { $0.name == "svg" }
    #expect(pictures.allSatisfy { $0.attributes["role"] == "group" })
    let parts = outline.elements.filter { $0.name == "g" && $0.attributes["aria-hidden"] == nil }
    #expect(parts.allSatisfy { $0.attributes["role"] == "img" })
    #expect(parts.allSatisfy { !($0.attributes["aria-label"] ?? "").isEmpty })
    #expect(outline.elements.count { $0.name == "desc" } == pictures.count)
    #expect(pictures.count > 20)
  }

  @Test("has every scenario and ending, in the matrix and as a section") func complete() throws {
    let outline = XMLOutline(try catalogPage())
    let (ids, links) = (Set(outline.values(of: "id")), Set(outline.values(of: "href")))
    for scenario in Catalog.scenarios {
      #expect(ids.contains(scenario.id))
      #expect(links.contains("#\(scenario.id)"))
      for ending in scenario.endings {
        #expect(ids.contains("\(scenario.id)/\(ending.name)"))
        #expect(links.contains("#\(scenario.id)/\(ending.name)"))
      }
    }
  }

  @Test("is the same bytes every time", .needsVirtualTime, .needsTime) func repetition() throws {
    #expect(try MemlabBinary.run(["report", "--html", "-"]).stdout == catalogPage())
  }

  @Test(
    "says of a scenario what a page of it alone says, whatever ran before",
    arguments: ["sink-strong-self-one-shot", "weak-map-table-lazy", "reactor-mutate-self"])
  func isolation(scenario: String) throws {
    let alone = try MemlabBinary.run(["report", scenario, "--html", "-"]).stdout
    let all = try catalogPage()
    let endings = alone.matches(of: /(?s)<article .*?<\/article>/)
    #expect(endings.count == Catalog.scenario(scenario)?.endings.count)
    for ending in endings { #expect(all.contains(ending.0)) }
  }

  @Test("has the code under study where it is at hand, and says so where it is not")
  func code() throws {
    let report = try Reports.of("strong-self")
    let scenario = try #require(Catalog.scenario("strong-self"))
    let with = HTMLPage([.init(scenario: scenario, report: report, code: "let a = \"b\" // c")])
    #expect(with.text.contains("<span class=\"keyword\">let</span> a = "))
    #expect(with.text.contains("<span class=\"comment\">// c</span>"))
    let without = HTMLPage([.init(scenario: scenario, report: report, code: nil)])
    #expect(without.text.contains("The code under study is not at hand here"))
  }

  @Test("is as recorded, for one scenario, style and script apart", .needsHeap)
  func golden() throws {
    let scenario = try #require(Catalog.scenario("strong-self"))
    let report = try Reports.of("strong-self")
    let page = HTMLPage([.init(scenario: scenario, report: report, code: "Task { self.run() }")])
    try Golden.check("html-strong-self", page.content.source)
  }
}

/// A page of which every text is out to break it.
enum HostileReport {
  /// What every text is.
  static let text = "</script></svg>\"'><img src=x onerror=alert(1)>&amp;]]>\u{0}\u{202E}--><b>"

  static var page: HTMLPage {
    get throws {
      let report = try json.decoded(as: Report.self)
      return HTMLPage(
        [
          HTMLPage.Subject(
            scenario: scenario, report: report, code: "// \(text)\nlet x = \"\(text)")
        ], remark: text)
    }
  }

  private static var scenario: Scenario {
    Scenario(
      id: text, title: text, document: Document(file: text, title: text), place: text, lesson: text,
      question: text, hint: text, next: text, fixedBy: "other" + text,
      endings: [Ending(text, text, expects: .nothing, explanation: text, run: { _ in })])
  }

  private static var quoted: String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\"
        ? "\\\(scalar)" : scalar == "\u{0}" ? "\\u0000" : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }

  // A name has no control characters.
  private static var quotedName: String {
    quoted.replacing("\\u0000", with: "\\\\u{0}").replacing("\u{202E}", with: "\\\\u{202E}")
  }

  private static var json: String {
    """
    { "scenario": \(quoted), "document": \(quoted), "asExpected": false, "trials": [ {
      "ending": \(quotedName), "verdict": "leak", "asExpected": false, "liveTasks": 1,
      "objects": [ { "type": \(quoted), "created": 1, "deinitialized": 0 } ],
      "tasks": [ { "name": \(quoted), "started": 1, "finished": 0 } ],
      "metrics": { \(quoted): 1 }, "differences": [ \(quoted) ],
      "steps": [ { "index": 1, "text": \(quoted), "changes": [ \(quoted) ] } ],
      "claims": [ { "text": \(quoted), "original": \(quoted), "holds": false, "asExpected": true,
        "because": \(quoted) } ],
      "heap": { "alive": {}, "liveTasks": 1, "cycles": 0, "leakedBlocks": 1, "leakedBytes": 1,
        "tasks": [ { "name": \(quoted), "isCancelled": false, "frames": [] } ],
        "paths": [ { "type": \(quoted), "heldBy": \(quoted), "referencesFound": 1,
          "root": { "kind": "task", "name": \(quoted), "suspendedIn": \(quoted), "frames": [] },
          "links": [
            { "kind": "field", "name": \(quoted), "to": "A\(quoted.dropFirst()), "isObject": true },
            { "kind": "field", "name": \(quoted), "to": \(quoted), "isObject": true } ] } ] }
    } ] }
    """
  }
}

@Suite("Markup") struct MarkupTests {
  @Test(
    "shows a text as it stands, whatever it holds",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload='x'", "&quot; onload=&#39;x&#39;"),
      ("a && b &amp; c", "a &amp;&amp; b &amp;amp; c"), ("]]> --> <!--", "]]&gt; --&gt; &lt;!--"),
      ("bell \u{7} nul \u{0} end \u{FFFE}", "bell \\u{7} nul \\u{0} end \\u{FFFE}"),
      ("one\ntwo\tthree\rfour", "one\ntwo\tthree&#13;four"),
      ("\u{202E}drawkcab", "\\u{202E}drawkcab"), ("<\u{301}b>", "&lt;\u{301}b&gt;"),
      ("순환참조 → 😀", "순환참조 → 😀"),
    ])
  func text(hostile: String, shown: String) {
    #expect(Markup(text: hostile).source == shown)
    #expect(Markup("b") { hostile }.source == "<b>\(shown)</b>")
    #expect(Markup("b", ["title": hostile]).source == "<b title=\"\(shown)\"></b>")
  }

  @Test("closes every element, and at once only those that HTML closes itself") func closing() {
    #expect(Markup("span").source == "<span></span>")
    #expect(Markup("li").source == "<li></li>\n")
    #expect(Markup("meta", ["charset": "utf-8"]).source == "<meta charset=\"utf-8\"/>\n")
  }

  @Test("leaves out attributes without a value") func attributes() {
    #expect(Markup("a", ["class": nil, "href": "#x"]) { "y" }.source == "<a href=\"#x\">y</a>")
  }
}

/// What the binary has measured.
enum Reports {
  /// The report on all endings of a scenario.
  static func of(_ scenario: String) throws -> Report {
    try FirstRuns.json(of: scenario).stdout.decoded(as: Report.self)
  }
}
