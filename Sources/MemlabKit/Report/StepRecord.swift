package import HeapGraph

/// One step of a trial and what changed in it.
package struct StepRecord: Codable, Sendable {
  /// The step's place in the trial, from 1.
  package let index: Int
  /// What is done in the step.
  package let text: String
  /// What the ledger saw, in its own order: `+ DataCacheRepoImpl`, `- task consumer`.
  package let changes: [String]
  /// Where the step is written; not a part of the JSON report, which would change with every line.
  package private(set) var place: CodeLocation?

  /// A step that is over.
  package init(index: Int, text: String, changes: [String], place: CodeLocation? = nil) {
    (self.index, self.text, self.changes, self.place) = (index, text, changes, place)
  }

  private enum CodingKeys: String, CodingKey {
    case index, text, changes
  }
}
