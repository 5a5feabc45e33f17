import MemlabKit
import MemlabReports
import MemlabTerminalText

/// The predictions that the command line makes.
package struct Predictions {
  private var byEnding: [String: Prediction] = [:]
  private var forAll: Prediction?

  /// No predictions: the reader is asked for them, where there is somebody to ask.
  package init() {}

  /// Reads every `--predict`.
  ///
  /// - Throws: `UsageError` when one cannot be read, or names an ending that is not walked through.
  init(_ invocation: Invocation, for endings: [Ending]) throws(UsageError) {
    for text in invocation.values("predict") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let prediction = Prediction(parts.last.map(String.init) ?? "") else {
        throw invocation.usageError(
          "\(quoted(text)) is no prediction. Write deinitialised=<n>,live=<n>,held=<cause>, or any of "
            + "them, after the name of an ending and a colon if it is for that one alone.")
      }
      guard parts.count == 2 else {
        forAll = prediction
        continue
      }
      guard let ending = endings.first(where: { $0.name == parts[0] }) else {
        let names = endings.map(\.name).joined(separator: ", ")
        throw invocation.usageError(
          "There is no ending \(quoted(String(parts[0]))) to predict. Choose one of: \(names).")
      }
      byEnding[ending.name] = prediction
    }
  }

  /// What was predicted for an ending; nil when nothing was.
  subscript(ending: Ending) -> Prediction? { byEnding[ending.name] ?? forAll }
}
