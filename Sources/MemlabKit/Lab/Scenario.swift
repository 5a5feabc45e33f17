package import HeapGraph

/// One ownership pattern of a document, ended in every way that matters.
package struct Scenario: Sendable {
  /// The word that runs it: lowercase, with hyphens.
  package let id: String
  /// What the pattern is, as a phrase: "the forwarding task captures self".
  package let title: String
  /// Where the pattern comes from.
  package let document: Document
  /// The place in the document, as a phrase: "step 1 of 5".
  package let place: String
  /// The folder in `Lessons/` that teaches it.
  package let lesson: String
  /// What to ask a class before running any of the endings that have no question of their own.
  package let question: String
  /// A hint for someone who is stuck on the question.
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
  package let endings: [Ending]
  /// The same without anything that holds the threads, so that the result is random; run by
  /// `--threads free`.
  package let unforced: Ending?
  /// Where the scenario is declared.
  package let source: CodeLocation

  /// A scenario. `Catalog` lists it, and tests over the catalog check what it declares.
  ///
  /// The parameters are described at the properties of the same names; `file`, `path` and `line` are
  /// where it is declared.
  package init(
    id: String, title: String, document: Document, place: String, lesson: String,
    question: String, hint: String, beliefs: [Belief] = [], next: String? = nil,
    fixedBy: String? = nil,
    code: [String] = [], endings: [Ending], unforced: Ending? = nil, file: String = #fileID,
    path: String = #filePath, line: Int = #line
  ) {
    self.id = id
    self.title = title
    self.document = document
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
    source = CodeLocation(pathInPackage: path, line: line)
  }

  /// What to ask a class before running an ending.
  package func question(before ending: Ending) -> String { ending.question ?? question }
}

extension Scenario: CustomStringConvertible {
  /// The id.
  package var description: String { id }
}
