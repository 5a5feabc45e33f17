/// What came of one ending of an exercise.
package struct JudgedEnding: Sendable {
  /// The ending.
  package let ending: Ending
  /// What was measured; nil when the code did not get through the steps.
  package let trial: TrialReport?
  /// What came of running it again; the same where that was not tried.
  package let later: LaterRuns
  /// Why nothing was measured; nil when it was.
  package let failure: ExerciseFailure?
  /// What the learner's code has printed; empty where it went to the program's outputs at once.
  package let written: String
  /// How long it took, in real time.
  package let duration: Duration

  /// Whether everything is as it should be.
  package var isSolved: Bool { later == .same && trial?.isSolved == true }
}

/// What came of running an ending again, in the same process, after it was as it should be.
package enum LaterRuns: Codable, Sendable, Equatable {
  /// It was as it should be each time.
  case same
  /// Each run has left so many more blocks of memory behind.
  case grow(Int)
  /// A later run has measured something else, as sentences.
  case differ([String])
}

/// Why an ending of an exercise has no measurement.
package enum ExerciseFailure: Error, Codable, Sendable, Equatable {
  /// The learner's process ended by itself, with this code, in this step.
  case ended(code: Int32, StepPlace)
  /// A signal ended it: a crash, unless something outside has killed it.
  case signalled(reason: String, StepPlace)
  /// A step did not come to rest, or the witnesses disagree.
  case stopped(reason: String, StepPlace)
}

/// A step of an ending that was not finished.
package struct StepPlace: Codable, Sendable, Equatable {
  /// Its number, from 1; 0 before the first.
  package let step: Int
  /// What it does; empty where that is not known.
  package let text: String

  /// A step as a sentence names it: `step 3, “the song is asked for its playlist”`.
  package var description: String {
    text.isEmpty ? "step \(max(step, 1))" : "step \(step), “\(text)”"
  }
}

extension TrialReport {
  /// Whether one run was as it should be, as far as it shows.
  var isSolved: Bool { asExpected && unseenCycles == 0 }

  /// Retain cycles of objects without a probe, in an ending after which nothing may be left.
  var unseenCycles: Int { aliveObjects + liveTasks == 0 ? heap?.cycles ?? 0 : 0 }
}
