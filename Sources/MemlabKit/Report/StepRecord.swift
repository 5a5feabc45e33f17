/// One step of a trial and what changed in it.
public struct StepRecord: Codable, Sendable {
  /// The step's place in the trial, from 1.
  public let index: Int
  /// What is done in the step.
  public let text: String
  /// What the ledger saw, in its own order: `+ DataCacheRepoImpl`, `- task consumer`.
  public let changes: [String]
}
