/// A step that went wrong, so that nothing can be said about the trial.
public struct TrialError: Error, CustomStringConvertible {
  /// Where it went wrong.
  public let place: TrialPlace
  /// What went wrong, as a sentence.
  public let reason: String

  /// An error at a step of an ending, counted from 1.
  package init(_ ending: Ending, step: Int, reason: String) {
    self.init(TrialPlace(ending, step: step), reason: reason)
  }

  /// An error at this place.
  init(_ place: TrialPlace, reason: String) {
    (self.place, self.reason) = (place, reason)
  }

  public var description: String { "\(place): \(reason)" }
}

/// How far a trial has come.
public struct TrialPlace: Sendable, CustomStringConvertible {
  /// The scenario or the exercise; nil for an ending that belongs to none.
  public let owner: String?
  /// The ending's name.
  public let ending: String
  /// The step's place in the trial, from 1.
  public internal(set) var step: Int

  /// A step of an ending, counted from 1.
  init(_ ending: Ending, step: Int) {
    (owner, self.ending, self.step) = (ending.owner, ending.name, step)
  }

  public var description: String {
    let start = owner.map { "\($0), " } ?? ""
    return "\(start)ending '\(ending)', step \(step)"
  }
}
