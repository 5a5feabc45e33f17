import Exercises
import MemlabKit

/// What an ending's differences mean, where names and numbers do not say it.
enum ExerciseAdvice {
  /// A sentence for each figure that is not as it should be, and for what is not counted at all.
  static func sentences(
    on trial: TrialReport, of ending: Ending, in exercise: Exercise
  ) -> [String] {
    let uncounted =
      ending.expects.objects.filter { expected in
        expected.created > 0 && !trial.objects.contains { $0.type == expected.type }
      }
      .map { "No \($0.type) was counted: each has to store Probe(\($0.type).self)." }
      + ending.expects.tasks.filter { expected in
        expected.started > 0 && !trial.tasks.contains { $0.name == expected.name }
      }
      .map { "No task \($0.name) was counted: it is started with Task(probe: \"\($0.name)\")." }
    let figures = ending.expects.metrics.keys.sorted()
      .filter { trial.metrics[$0] != ending.expects.metrics[$0] }
      .compactMap { name in exercise.figures[name.rawValue].map { "\(name) \($0)" } }
    return uncounted + figures
  }
}
