/// A step failed, so that there is no measurement of the trial.
package struct TrialError: Error, CustomStringConvertible {
  /// The step that failed.
  package let place: TrialPlace
  /// Why it failed, as a sentence.
  package let reason: String

  /// An error at a step of an ending, counted from 1.
  package init(_ ending: Ending, step: Int, reason: String) {
    self.init(TrialPlace(ending, step: step), reason: reason)
  }

  /// An error at this place.
  init(_ place: TrialPlace, reason: String) {
    (self.place, self.reason) = (place, reason)
  }

  /// A sentence without its full stop.
  package var description: String { "\(place): \(reason)" }
}

/// How far a trial has come.
package struct TrialPlace: Sendable, CustomStringConvertible {
  /// The scenario or the exercise; nil for an ending that belongs to none.
  package let owner: String?
  /// The ending's name.
  package let ending: String
  /// The step's place in the trial, from 1.
  package internal(set) var step: Int
  /// What the step does, once it has begun; nil before.
  package internal(set) var text: String?

  /// A step of an ending, counted from 1.
  init(_ ending: Ending, step: Int) {
    (owner, self.ending, self.step) = (ending.owner, ending.name, step)
  }

  /// The place as errors name it: "strong-self, ending 'drop', step 2".
  package var description: String {
    let start = owner.map { "\($0), " } ?? ""
    return "\(start)ending '\(ending)', step \(step)"
  }
}
