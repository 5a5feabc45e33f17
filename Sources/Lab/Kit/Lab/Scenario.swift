package import MemlabHeapModel

/// One ownership pattern of a document, ended in every way that matters.
public struct Scenario: Sendable {
  /// The word that runs it: lowercase, with hyphens.
  public let id: String
  /// What the pattern is, as a phrase: "the forwarding task captures self".
  package let title: String
  /// Where the pattern comes from.
  package let document: Document
  /// The place in the document, as a phrase: "step 1 of 5"; empty where there is none to name.
  package let place: String
  /// The folder in `Lessons/` that teaches it, or the path of another text; nil where there is none.
  package let lesson: String?
  /// What to ask a class before running any of the endings that have no question of their own.
  package let question: String
  /// A hint for someone who is stuck on the question; empty where there is none.
  package let hint: String
  /// Wrong answers that people give to what holds an object in the end, and why.
  package let beliefs: [Belief]
  /// The file that it is declared in, as `#fileID` has it: the module and the file's name.
  package let file: String
  /// Code under study in other files: the path below `Sources`, `#` and a snippet's name.
  package let code: [String]
  /// The scenario to run next.
  package let next: String?
  /// The scenario in which this one's fault is fixed; nil when there is none to fix.
  package let fixedBy: String?
  /// The endings, in the order in which they run.
  package private(set) var endings: [Ending]
  /// The same without anything that holds the threads, so that the result is random; run by
  /// `--threads free`.
  package let unforced: Ending?
  /// Where the scenario is declared.
  package let source: CodeLocation
  /// The file that it is declared in, as it was when this was built.
  package let path: String
  /// The code that was put into the build; empty where its package does not do that.
  private(set) var embedded: [Listing] = []

  /// A scenario: a pattern with its endings.
  ///
  /// - Parameters:
  ///   - id: the word that runs it: lowercase, with hyphens, and not the name of a command.
  ///   - title: what the pattern is, as a phrase.
  ///   - document: where the pattern comes from; nil where it is from nowhere but your own code.
  ///   - place: the place in the document, as a phrase.
  ///   - lesson: where to read more: a path, or an address.
  ///   - question: what to ask a class before running any of the endings.
  ///   - hint: a hint for someone who is stuck on the question.
  ///   - beliefs: wrong answers that people give to what holds an object in the end, and why.
  ///   - next: the scenario to run next.
  ///   - fixedBy: the scenario in which this one's fault is fixed.
  ///   - code: code under study in other files: the path below `Sources`, `#` and a snippet's name.
  ///   - endings: the endings, in the order in which they run.
  ///   - unforced: the same without anything that holds the threads; run by `--threads free`.
  ///   - file: the module and the file that declare it.
  ///   - path: the path of that file.
  ///   - line: the line in that file.
  public init(
    id: String, title: String, document: Document? = nil, place: String = "",
    lesson: String? = nil, question: String = "What is still alive in the end, and who holds it?",
    hint: String = "", beliefs: [Belief] = [], next: String? = nil, fixedBy: String? = nil,
    code: [String] = [], endings: [Ending], unforced: Ending? = nil, file: String = #fileID,
    path: String = #filePath, line: Int = #line
  ) {
    self.id = id
    self.title = title
    self.document = document ?? .none(in: file)
    self.place = place
    self.lesson = lesson
    self.question = question
    self.hint = hint
    self.beliefs = beliefs
    self.file = file
    self.code = code
    self.next = next
    self.fixedBy = fixedBy
    self.endings = endings.map { $0.belonging(to: id) }
    self.unforced = unforced?.belonging(to: id)
    self.path = path
    source = CodeLocation(pathInPackage: path, line: line)
  }

  /// The same scenario, with the code that was put into the build.
  ///
  /// - Parameter listings: the list that the plugin `EmbedListings` writes, `Listing.all`; what
  ///   belongs to other scenarios is not used.
  public func showing(_ listings: [Listing]) -> Scenario {
    var scenario = self
    scenario.embedded = listings
    return scenario
  }

  /// The same scenario, with other declarations of what its endings measure.
  ///
  /// - Parameter declaration: what is declared of an ending; nil where that stays as it is.
  package func declaring(_ declaration: (Ending) -> Declaration?) -> Scenario {
    var scenario = self
    scenario.endings = endings.map { ending in
      declaration(ending).map(ending.declaring) ?? ending
    }
    return scenario
  }

  /// What to ask a class before running an ending.
  package func question(before ending: Ending) -> String { ending.question ?? question }
}

extension Scenario: CustomStringConvertible {
  /// The id.
  public var description: String { id }
}

/// A published text whose code and claims are put to the test.
public struct Document: Sendable, Equatable {
  /// The file name under which the text is kept, or the address at which it is published.
  public let file: String
  /// The title, in English.
  public let title: String
  /// The word that `--family` takes and `memlab matrix` shows for the scenarios of this and of similar
  /// documents.
  public let family: String

  /// A document.
  ///
  /// - Parameters:
  ///   - file: its file name or address.
  ///   - title: its title, in English.
  ///   - family: the word for `--family`.
  public init(file: String, title: String, family: String = "other") {
    self.file = file
    self.title = title
    self.family = family
  }

  /// What stands in for a document where a scenario has none: the module that declares it.
  ///
  /// - Parameter file: as `#fileID` has it.
  static func none(in file: String) -> Document {
    let module = String(file.prefix { $0 != "/" })
    return Document(file: module, title: module, family: "own")
  }
}
