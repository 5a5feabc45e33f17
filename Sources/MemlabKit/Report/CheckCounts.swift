/// A verdict with the counts that it comes from.
package struct CheckCounts: Codable, Sendable {
  /// The verdict; nil where the outcome is random and nothing is declared.
  package let verdict: Verdict?
  /// Objects by type.
  package let objects: [ObjectCount]
  /// Tasks by name.
  package let tasks: [TaskCount]
  /// The scenario's own figures.
  package let metrics: [Metric: Int]

  /// What is declared.
  init(_ declaration: Declaration) {
    verdict = declaration.isBinding ? declaration.verdict : nil
    (objects, tasks) = (declaration.objects, declaration.tasks)
    metrics = declaration.metrics
  }

  /// What was measured.
  init(_ trial: TrialReport) {
    (verdict, objects, tasks, metrics) = (trial.verdict, trial.objects, trial.tasks, trial.metrics)
  }
}
