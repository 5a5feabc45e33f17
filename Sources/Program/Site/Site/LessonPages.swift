import MemlabKit
import MemlabPlatform
import MemlabTerminalText

/// The lessons and the glossary as pages, from the same files that a forge shows.
struct LessonPages {
  /// The scenarios and what was filmed of them.
  let reels: [(scenario: Scenario, reel: FilmReel)]
  /// The address of the repository; nil where none is known.
  let repository: String?

  /// A lesson in one language.
  func lesson(
    _ folder: String, _ text: String, in language: Language, of languages: [Language]
  ) -> SitePage {
    let translator = Translator(language: language)
    var markdown = markdown(in: "Lessons/\(folder)", root: "../", translator)
    markdown.replacement = { lines, kind, command in
      run(lines, kind, translator) ?? picture(kind, command, translator)
    }
    let content = Markup([markdown.markup(of: text), container(translator)])
    return SitePage(
      path: "lessons/\(folder)\(language.suffix).html",
      title: MarkdownMarkup.texts(of: text).first ?? folder, translator: translator,
      translations: languages, kind: "lesson",
      content: Markup("div", ["class": "prose"]) { content })
  }

  /// The glossary in one language.
  func glossary(_ text: String, in language: Language) -> SitePage {
    let translator = Translator(language: language)
    let content = markdown(in: "Documentation", root: "", translator).markup(of: text)
    return SitePage(
      path: "glossary\(language.suffix).html", title: translator.plain("Glossary"),
      translator: translator, translations: Language.allCases, kind: "glossary",
      content: Markup("div", ["class": "prose"]) { content })
  }

  private func markdown(
    in folder: String, root: String, _ translator: Translator
  ) -> MarkdownMarkup {
    let suffix = translator.language.suffix
    let links = SiteLinks(folder: folder, root: root, suffix: suffix, repository: repository)
    return MarkdownMarkup(links: links, translator: translator)
  }

  /// A transcript, closed until the reader has predicted, and a link to the player.
  private func run(_ lines: [String], _ kind: String, _ translator: Translator) -> Markup? {
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    guard kind == "console", let start = words.firstIndex(of: "memlab"), start + 1 < words.count,
      let subject = reels.first(where: { $0.scenario.id == words[start + 1] })
    else { return nil }
    let place = words.firstIndex(of: "--ending").map { $0 + 1 }
    let named = place.flatMap { $0 < words.count ? words[$0] : nil }
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
    let named = words.drop { $0 != "--ending" }.dropFirst().first
    let endings = subject.scenario.endings
    let ending = named ?? (endings.first { $0.expects.verdict == .leak } ?? endings[0]).name
    guard let film = subject.reel.endings.first(where: { $0.name == ending })?.film
    else { return nil }
    let drawing = GraphDrawing(
      of: film.report.graph, anchor: "graph/\(words.dropFirst(2).joined(separator: "."))",
      title: "Who holds what is left: \(subject.scenario.id)")
    return Markup("details", ["class": "drawn"]) {
      Markup("summary") { translator("The picture") }
      drawing.figure()
    }
  }

  /// How to work on the exercises without installing anything.
  private func container(_ translator: Translator) -> Markup {
    Markup("p", ["class": "container"]) {
      if let repository {
        let address = "vscode://ms-vscode-remote.remote-containers/cloneInVolume?url=\(repository)"
        Markup("a", ["href": address]) { translator("Open the exercises in a dev container") }
      } else {
        translator("The exercises are files of the checkout: open it in a dev container.")
      }
    }
  }
}

/// The folder `Lessons` of a checkout.
package struct LessonShelf {
  private let path: String
  /// The folders of the lessons, in the order of their numbers; at least one.
  package let lessons: [String]

  /// Looks above the working directory, then above the program.
  package static func find() -> LessonShelf? {
    let files = FileManager.default
    let program = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let starts = [files.currentDirectoryPath, program ?? CommandLine.arguments[0]]
    return starts.lazy.compactMap(above).first
  }

  /// The first checkout among a folder and those that it lies in.
  private static func above(_ start: String) -> LessonShelf? {
    let parts = start.split(separator: "/")
    return (0...parts.count).reversed().lazy
      .compactMap { LessonShelf(checkout: "/" + parts.prefix($0).joined(separator: "/")) }.first
  }

  /// The lessons of a checkout; nil when the folder is not one.
  private init?(checkout: String) {
    let files = FileManager.default
    path = checkout + "/Lessons"
    let folders = (try? files.contentsOfDirectory(atPath: path)) ?? []
    let path = path
    lessons = folders.filter { files.fileExists(atPath: "\(path)/\($0)/README.md") }.sorted()
    guard !lessons.isEmpty, files.fileExists(atPath: checkout + "/Sources/Lab/Kit") else {
      return nil
    }
  }

  /// A lesson's text.
  package func text(of lesson: String) throws -> String {
    try text(in: "\(path)/\(lesson)/README.md")
  }

  /// A text of the checkout, such as `Documentation/Glossary.md`.
  package func document(_ file: String) throws -> String { try text(in: "\(path)/../\(file)") }

  private func text(in file: String) throws -> String {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw UnreadableFile(description: "The text '\(file)' cannot be read, or is not UTF-8.")
    }
    return text
  }

  /// The path of a source file of the scenarios, from the root of the checkout; nil where there is
  /// none of this name.
  func source(named name: String) -> String? {
    let folder = "Sources/Course/Scenarios"
    let files = FileManager.default
    let folders = (try? files.contentsOfDirectory(atPath: "\(path)/../\(folder)")) ?? []
    return folders.sorted().map { "\(folder)/\($0)/\(name)" }
      .first { files.fileExists(atPath: "\(path)/../\($0)") }
  }

  /// A lesson's title: its first line.
  package func title(of lesson: String) throws -> String {
    let first = try text(of: lesson).split(separator: "\n").first ?? ""
    return String(first.drop { $0 == "#" || $0 == " " })
  }
}
