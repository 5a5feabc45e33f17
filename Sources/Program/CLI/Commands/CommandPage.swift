import MemlabKit
import MemlabTerminalText

/// A text of the folder `Files`, for one program.
///
/// A line behind `course|` is for programs with a course, one behind `own|` for those without. Words in
/// braces are filled in.
struct AppText {
  /// The lines that are for this program.
  let lines: [Substring]
  private let app: App
  private let scenario: String

  /// Reads a text. One that is not in the build traps.
  ///
  /// - Parameters:
  ///   - name: the file's name, without its ending.
  ///   - app: the program.
  ///   - scenario: the id that stands for `{scenario}`.
  init(_ name: String, of app: App, scenario: String = "") {
    guard let text = Embedded.files["\(name).txt"] else {
      preconditionFailure("the build has left out the file \(name).txt")
    }
    let (own, other) = app.course == nil ? ("own|", "course|") : ("course|", "own|")
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Substring.init)
      .filter { !$0.hasPrefix(other) }
      .map { $0.hasPrefix(own) ? $0.dropFirst(own.count + 1) : $0 }
    (self.app, self.scenario) = (app, scenario)
  }

  private var words: [String: String] {
    [
      "program": app.name, "scenario": scenario, "first": app.scenarios.first?.id ?? "<scenario>",
      "count": counted(app.scenarios.count, "scenario"),
      "causes": Cause.allCases.map(\.rawValue).joined(separator: ", "),
      "orders": "\(Exploration.Limits().orders)", "scheduler": SchedulerName.default.rawValue,
    ]
  }

  /// A part of the text, with its words filled in.
  func filled(_ text: some StringProtocol) -> String { String(text).filling(words) }

  /// The paragraphs of some lines. Those of a paragraph that begin with a space are kept as they are.
  func paragraphs(_ lines: some Collection<Substring>) -> [String] {
    lines.split(whereSeparator: \.isEmpty).map { lines in
      filled(lines.joined(separator: lines.first?.first == " " ? "\n" : " "))
    }
  }
}

/// The page of a command: what can be typed after its name, and what help says of it.
///
/// ```
/// What it does, in one line.
///
/// What help says more.
///
/// [<scenario> ...]: scenario
///   What it is for. The first line is as the usage has it, and then comes the rule for its values.
/// [--format <format>]: text, json = text
///   Behind the rule stands the default.
/// [--color <when>]
/// ```
///
/// What has no sentence, as `--color` here, is in `shared.txt`.
struct CommandPage {
  /// An argument or an option.
  struct Entry {
    private let name, help: String
    fileprivate private(set) var argument: ArgumentSpec?
    fileprivate private(set) var option: OptionSpec?

    fileprivate init(_ line: Substring, _ help: String, rule: (Substring) -> ValueRule) {
      let (usage, rest) = line.parted(at: ": ")
      let (values, defaultValue) = (rest ?? "")[...].parted(at: " = ")
      let words = usage.split { "[]<> .".contains($0) }
      let (isOptional, isRepeating) = (usage.hasPrefix("["), usage.contains(" ..."))
      (name, self.help) = (String(words[0]), help)
      let long = String(name.dropFirst(2))
      if !name.hasPrefix("--") {
        argument = ArgumentSpec(
          name, help: help, values: rule(values), isOptional: isOptional, isRepeating: isRepeating)
      } else if words.count == 1 {
        option = .flag(long, help: help)
      } else {
        option = .option(
          long, valueName: String(words[1]), help: help, values: rule(values),
          default: defaultValue, isRepeating: isRepeating, isRequired: !isOptional)
      }
    }

    /// The entry, or that of the same name, if this has no sentence.
    fileprivate func found(among shared: [Entry]) -> Entry {
      help.isEmpty ? shared.first { $0.name == name } ?? self : self
    }
  }

  private let app: App
  private let text: AppText

  /// The page of this name.
  init(_ name: String, of app: App) { (self.app, text) = (app, AppText(name, of: app)) }

  /// What the command does, in one line.
  var abstract: String { String(text.lines[0]) }

  /// Arguments and options, in order.
  var entries: [Entry] {
    text.lines.indices.filter { isEntry(text.lines[$0]) }.map { place in
      let help = text.lines[(place + 1)...].prefix { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
      let line = text.filled(text.lines[place])
      return Entry(line[...], text.filled(help.joined(separator: " ")), rule: rule)
    }
  }

  /// The whole page.
  ///
  /// - Parameters:
  ///   - name: the command's name.
  ///   - shared: the entries of `shared.txt`.
  func spec(named name: String, shared: [Entry]) -> CommandSpec {
    let prose = text.paragraphs(text.lines.dropFirst().prefix { !isEntry($0) })
    let entries = entries.map { $0.found(among: shared) }
    return CommandSpec(
      name, abstract: abstract, discussion: prose.isEmpty ? nil : prose.joined(separator: "\n\n"),
      arguments: entries.compactMap(\.argument), options: entries.compactMap(\.option))
  }

  private func isEntry(_ line: Substring) -> Bool {
    ["<", "[", "--"].contains(where: line.hasPrefix)
  }

  private func rule(_ text: Substring) -> ValueRule {
    let words = text.split(separator: ", ").map(String.init)
    switch words.last {
    case nil: return .text
    case "schedules": return .schedules
    case "scenario": return .scenario
    case "ending": return .ending
    case "lesson": return .lesson
    case "file": return .file
    case "family": return .oneOf(app.families)
    case "exercise":
      let exercises = app.course?.exercises() ?? []
      return .numbered(exercises.map(\.number), or: words.dropLast() + exercises.map(\.name))
    default:
      let (least, most) = text.parted(at: "...")
      return Int(least).map { .integer($0...(most.flatMap { Int($0) } ?? .max)) } ?? .oneOf(words)
    }
  }
}
