/// The event that should release everything, and what must be measured after it.
public struct Ending: Sendable {
  /// The name that `--ending` takes.
  package let name: String
  /// What happens, as a phrase: "the consumer is cancelled, then the owner is dropped".
  package let title: String
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
  package let explanation: String
  /// The document's sentences that this ending confirms or contradicts.
  package let claims: [Claim]
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
    self.name = name
    self.title = title
    self.expects = expects
    self.explanation = explanation
    self.claims = claims
    self.judge = judge
    self.run = run
  }

  /// The same ending with its own question, where the scenario's is about other events.
  public func asking(_ question: String) -> Ending {
    var ending = self
    ending.question = question
    return ending
  }

  /// The same ending, but of another part of the scenario's code than the first.
  public func running(_ code: String) -> Ending {
    var ending = self
    ending.code = code
    return ending
  }

  /// The same ending, but with tasks alive in the end that a library has started without a probe.
  ///
  /// The heap must have exactly so many more tasks than were counted; otherwise the two witnesses
  /// disagree, and nothing is measured.
  ///
  /// - Parameter count: how many tasks.
  public func leaving(libraryTasks count: Int) -> Ending {
    var ending = self
    ending.libraryTasks = count
    return ending
  }

  /// Whether it is of an exercise: then it judges a learner's code, which must not set its figures.
  var isJudged: Bool { unnamedVariables != nil }

  /// The same ending, but what holds objects from outside need not be a ``Variable`` with a name.
  ///
  /// - Parameter name: what to call all such variables in pictures, after the word "variable".
  func callingVariables(_ name: String) -> Ending {
    var ending = self
    ending.unnamedVariables = name
    return ending
  }

  /// The same ending with another declaration of what it measures.
  func declaring(_ expects: Declaration) -> Ending {
    var ending = self
    ending.expects = expects
    return ending
  }

  /// The same ending as one of this scenario, or of this exercise.
  package func belonging(to owner: String) -> Ending {
    var ending = self
    ending.owner = owner
    return ending
  }
}
