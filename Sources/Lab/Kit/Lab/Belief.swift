/// A wrong answer that people give to the question what holds an object, and why they do.
public struct Belief: Sendable {
  /// What they say holds it.
  package let cause: Cause
  /// Why they say so, as a sentence.
  package let because: String

  /// People say this, because of that.
  ///
  /// - Parameters:
  ///   - cause: what they say holds the object in the end.
  ///   - because: why they say so, as a sentence.
  public init(_ cause: Cause, because: String) { (self.cause, self.because) = (cause, because) }
}

/// What can keep an object alive.
public enum Cause: String, Codable, Sendable, CaseIterable {
  /// A variable outside of the code under study.
  case variable
  /// Objects that hold each other.
  case cycle
  /// A task that has not finished.
  case task
  /// A global or static variable.
  case global
  /// Nothing: the object is deinitialised.
  case nobody

  /// The answer to a question, as a reader picks it.
  package var inWords: String {
    switch self {
    case .variable: "a variable that has not been dropped"
    case .cycle: "objects that hold each other: a retain cycle"
    case .task: "a task that has not finished"
    case .global: "a global variable"
    case .nobody: "nobody: it is deinitialised"
    }
  }
}
