import MemlabKit

/// The lessons and the glossary as pages, from the same files that a forge shows.
struct LessonPages {
  /// The scenarios and what was filmed of them.
  let reels: [(scenario: Scenario, reel: FilmReel)]
  /// The address of the repository; nil where none is known.
  let repository: String?

  /// A lesson in one language.
  func lesson(_ folder: String, _ text: String, in language: Language, of languages: [Language])
    -> SitePage
  {
    let translator = Translator(language: language)
    var markdown = MarkdownMarkup(
      links: SiteLinks(
        folder: "Lessons/\(folder)", root: "../", suffix: language.suffix, repository: repository),
      translator: translator)
    markdown.replacement = { lines, kind, command in
      run(lines, kind, translator) ?? picture(kind, command, translator)
    }
    return SitePage(
      path: "lessons/\(folder)\(language.suffix).html",
      title: MarkdownMarkup.texts(of: text).first ?? folder, translator: translator,
      translations: languages, kind: "lesson",
      content: Markup("div", ["class": "prose"]) {
        markdown.markup(of: text)
        container(translator)
      })
  }

  /// The glossary in one language.
  func glossary(_ text: String, in language: Language) -> SitePage {
    let translator = Translator(language: language)
    let markdown = MarkdownMarkup(
      links: SiteLinks(
        folder: "Documentation", root: "", suffix: language.suffix, repository: repository),
      translator: translator)
    return SitePage(
      path: "glossary\(language.suffix).html", title: translator.plain("Glossary"),
      translator: translator,
      translations: Language.allCases, kind: "glossary",
      content: Markup("div", ["class": "prose"]) { markdown.markup(of: text) })
  }

  /// A transcript, closed until the reader has predicted, and a link to the player.
  private func run(_ lines: [String], _ kind: String, _ translator: Translator) -> Markup? {
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    guard kind == "console", let start = words.firstIndex(of: "memlab"), start + 1 < words.count,
      let subject = reels.first(where: { $0.scenario.id == words[start + 1] })
    else { return nil }
    let named = words.firstIndex(of: "--ending").flatMap { place in
      place + 1 < words.count ? words[place + 1] : nil
    }
    let ending = named ?? subject.scenario.endings[0].name
    let address = "../scenarios/\(subject.scenario.id).html#\(ending)/predict"
    return Markup("div", ["class": "run"]) {
      Markup("p", ["class": "watch"]) {
        Markup("a", ["class": "play", "href": address]) {
          translator("Predict, then step through it")
        }
      }
      Markup("details") {
        Markup("summary") {
          translator("What is printed")
          " "
          Markup("code") { words[start...].joined(separator: " ") }
        }
        MarkdownMarkup.code(lines, kind)
      }
    }
  }

  /// What `memlab graph` draws, drawn.
  private func picture(_ kind: String, _ command: String?, _ translator: Translator) -> Markup? {
    let words = (command ?? "").split(separator: " ").map(String.init)
    guard kind == "mermaid", words.count > 2, words[1] == "graph",
      let subject = reels.first(where: { $0.scenario.id == words[2] })
    else { return nil }
    let named = words.firstIndex(of: "--ending").map { words[$0 + 1] }
    let endings = subject.scenario.endings
    let ending =
      named ?? (endings.first { $0.expects.verdict == .leak } ?? endings[0]).name
    guard let film = subject.reel.endings.first(where: { $0.name == ending })?.film else {
      return nil
    }
    let anchor = "graph/\(words.dropFirst(2).joined(separator: "."))"
    let drawing = GraphDrawing(
      of: film.result, anchor: anchor, title: "Who holds what is left: \(subject.scenario.id)")
    return Markup("details", ["class": "drawn"]) {
      Markup("summary") { translator("The picture") }
      Markup("figure", ["class": "graph"]) {
        Markup.scrolling("Picture: who holds what is left") { drawing.markup }
      }
    }
  }

  /// How to work on the exercises without installing anything.
  private func container(_ translator: Translator) -> Markup {
    Markup("p", ["class": "container"]) {
      if let repository {
        Markup(
          "a",
          [
            "href": "vscode://ms-vscode-remote.remote-containers/cloneInVolume?url=\(repository)"
          ]
        ) { translator("Open the exercises in a dev container") }
      } else {
        translator("The exercises are files of the checkout: open it in a dev container.")
      }
    }
  }
}
