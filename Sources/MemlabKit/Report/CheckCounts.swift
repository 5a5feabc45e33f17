/// A verdict with the counts that it comes from.
public struct CheckCounts: Codable, Sendable {
  /// The verdict; nil where the outcome is random and nothing is declared.
  public let verdict: Verdict?
  /// Objects by type.
  public let objects: [ObjectCount]
  /// Tasks by name.
  public let tasks: [TaskCount]
  /// The scenario's own figures.
  public let metrics: [Metric: Int]

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
