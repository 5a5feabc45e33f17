package import MemlabHeapModel
import MemlabPlatform

/// One ownership pattern of a document, ended in every way that matters.
public struct Scenario: Sendable, CustomStringConvertible {
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
  /// Ways to end it that no ending declares and that leave something, as `memlab hunt` names them, each
  /// with the reason.
  package private(set) var knownWays: [String: String] = [:]
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
    (self.id, self.title) = (id, title.shown())
    // What stands in for a document where a scenario has none: the module that declares it.
    let module = String(file.prefix { $0 != "/" })
    self.document = document ?? Document(file: module, title: module, family: "own")
    (self.place, self.lesson, self.question, self.hint) = (place.shown(), lesson, question, hint)
    (self.beliefs, self.code, self.next, self.fixedBy) = (beliefs, code, next, fixedBy)
    self.endings = endings.map { $0.belonging(to: id) }
    self.unforced = unforced?.belonging(to: id)
    (self.file, self.path) = (file, path)
    source = CodeLocation(pathInPackage: path, line: line)
  }

  /// The same scenario, with the code that was put into the build.
  ///
  /// - Parameter listings: the list that the plugin `MemlabEmbed` writes, `Listing.all`; what
  ///   belongs to other scenarios is not used.
  public func showing(_ listings: [Listing]) -> Scenario {
    changed(self) { $0.embedded = listings }
  }

  /// The same scenario, with ways to end it that are known to leave something, so that `memlab hunt` does
  /// not fail on them.
  ///
  /// - Parameter ways: an ending and what `memlab hunt` calls the way, `drop 2:cancel:reader`, each with
  ///   the reason why that is as it should be, as a clause.
  public func knowing(_ ways: [String: String]) -> Scenario {
    changed(self) { $0.knownWays.merge(ways.mapValues { $0.shown() }) { $1 } }
  }

  /// The same scenario, with other declarations of what its endings measure.
  ///
  /// - Parameter declaration: what is declared of an ending; nil where that stays as it is.
  package func declaring(_ declaration: (Ending) -> Declaration?) -> Scenario {
    changed(self) {
      $0.endings = endings.map { ending in declaration(ending).map(ending.declaring) ?? ending }
    }
  }

  /// The same scenario, with more sentences held against its endings.
  ///
  /// - Parameter claims: the sentences, by the name of the ending, which the scenario must have.
  public func claiming(_ claims: [String: [Claim]]) -> Scenario {
    let unknown = claims.keys.filter { name in !endings.contains { $0.name == name } }
    precondition(unknown.isEmpty, "\(id) has no ending \(unknown)")
    return changed(self) {
      $0.endings = endings.map { ending in
        changed(ending) { $0.claims += claims[ending.name] ?? [] }
      }
    }
  }

  /// What to ask a class before running an ending.
  package func question(before ending: Ending) -> String { ending.question ?? question }

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
    (self.file, self.title, self.family) = (file, title.shown(), family)
  }
}

/// The event that should release everything, and what must be measured after it.
public struct Ending: Sendable {
  /// The name that `--ending` takes.
  package let name: String
  /// What happens, as a phrase: "the consumer is cancelled, then the owner is dropped".
  package private(set) var title: String
  /// What to ask a class before running it; nil where the scenario's question fits.
  package private(set) var question: String?
  /// The part of the scenario's code that it runs, as ``Scenario/code`` names one; nil for the first.
  package private(set) var code: String?
  /// How many tasks are alive in the end that a library has started, and that nobody counts.
  package private(set) var libraryTasks = 0
  /// What to call the variables that hold objects and have no name; nil where each has to have one.
  package private(set) var unnamedVariables: String?
  /// What it is an ending of, as errors name it: "strong-self"; nil where it stands alone.
  package private(set) var owner: String?
  /// What must be measured.
  package private(set) var expects: Declaration
  /// Why that is measured, in a sentence or two for a student.
  package private(set) var explanation: String
  /// The document's sentences that this ending confirms or contradicts.
  package fileprivate(set) var claims: [Claim]
  /// The verdict on the counts.
  package let judge: @Sendable (Totals) -> Verdict
  /// The steps.
  package let run: @Sendable (Lab) throws -> Void

  /// An ending of a scenario.
  ///
  /// - Parameters:
  ///   - name: a word, unique in the scenario.
  ///   - title: what happens, as a phrase.
  ///   - expects: what must be measured; by default what `check --record` has recorded.
  ///   - explanation: why that is measured; empty where it need not be said.
  ///   - claims: the document's sentences to compare with the measurement.
  ///   - judge: the verdict on the counts; by default ``Verdict/measured(from:)``.
  ///   - run: the steps. When it returns, it must hold nothing that it made.
  public init(
    _ name: String, _ title: String, expects: Declaration = .recorded, explanation: String = "",
    claims: [Claim] = [],
    judge: @escaping @Sendable (Totals) -> Verdict = Verdict.measured(from:),
    run: @escaping @Sendable (Lab) throws -> Void
  ) {
    (self.name, self.title) = (name.shown(), title.shown())
    (self.expects, self.explanation) = (expects, explanation)
    (self.claims, self.judge, self.run) = (claims, judge, run)
  }

  /// An ending whose steps are methods of a stage, which holds the objects from outside.
  ///
  /// ```swift
  /// Ending("drop", "the reader is dropped", expects: …, explanation: …, on: Stage.init) {
  ///   [$0.open, $0.dropReader]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - stage: makes the stage for a trial.
  ///   - steps: the methods to call, in order: each does a step, or enters what it measures.
  public init<Stage>(
    _ name: String, _ title: String, expects: Declaration = .recorded, explanation: String = "",
    claims: [Claim] = [], on stage: @escaping (Lab) throws -> Stage,
    steps: @escaping (Stage) -> [() throws -> Void]
  ) {
    // Each trial makes a stage of its own, and one thread uses it.
    nonisolated(unsafe) let (stage, steps) = (stage, steps)
    self.init(name, title, expects: expects, explanation: explanation, claims: claims) { lab in
      for step in steps(try stage(lab)) { try step() }
    }
  }

  /// The same steps with something after one of them that nobody has declared; its expectations and
  /// claims are not.
  package func varied(by variation: Variation) -> Ending {
    var varied = Ending(name, title) { lab in
      lab.vary(variation)
      do { try run(lab) } catch is EndOfVariation {}
    }
    (varied.owner, varied.libraryTasks, varied.unnamedVariables) = (
      owner, libraryTasks, unnamedVariables
    )
    return varied
  }

  /// The same ending with this title and this explanation.
  package func told(title: String, explanation: String) -> Ending {
    changed(self) { ($0.title, $0.explanation) = (title.shown(), explanation) }
  }

  /// The same ending with its own question, where the scenario's is about other events.
  public func asking(_ question: String) -> Ending { changed(self) { $0.question = question } }

  /// The same ending, and one more of the document's sentences to compare with the measurement.
  ///
  /// - Parameters:
  ///   - text: the sentence in English.
  ///   - original: the sentence as the document has it.
  ///   - failsBecause: why the measurement contradicts it; nil where the measurement confirms it.
  ///   - predicate: whether a measurement confirms the sentence.
  public func claiming(
    _ text: String, original: String, failsBecause reason: String? = nil,
    when predicate: @escaping @Sendable (Measurement) -> Bool
  ) -> Ending {
    let outcome = reason.map { Claim.Outcome.fails(because: $0) } ?? .holds
    return changed(self) {
      $0.claims.append(Claim(text, original: original, outcome, when: predicate))
    }
  }

  /// The same ending, but of another part of the scenario's code than the first.
  public func running(_ code: String) -> Ending { changed(self) { $0.code = code } }

  /// The same ending, but with tasks alive in the end that a library has started without a probe.
  ///
  /// The heap must have exactly so many more tasks than were counted; otherwise the two witnesses
  /// disagree, and nothing is measured.
  ///
  /// - Parameter count: how many tasks.
  public func leaving(libraryTasks count: Int) -> Ending {
    changed(self) { $0.libraryTasks = count }
  }

  /// Whether it is of an exercise: then it judges a learner's code, which must not set its figures.
  var isJudged: Bool { unnamedVariables != nil }

  /// The same ending, but what holds objects from outside need not be a ``Variable`` with a name.
  ///
  /// - Parameter name: what to call all such variables in pictures, after the word "variable".
  func callingVariables(_ name: String) -> Ending { changed(self) { $0.unnamedVariables = name } }

  /// The same ending with another declaration of what it measures.
  func declaring(_ expects: Declaration) -> Ending { changed(self) { $0.expects = expects } }

  /// The same ending as one of this scenario, or of this exercise.
  package func belonging(to owner: String) -> Ending { changed(self) { $0.owner = owner } }
}

/// A value with a change.
package func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var changed = value
  change(&changed)
  return changed
}
