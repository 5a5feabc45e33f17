import MemlabPlatform

/// The leaks that are known.
///
/// With `LEAKCHECK_RECORD=1` in the environment, leaks that are new are added to them.
struct Baseline {
  /// The file's name.
  let name: String
  private let file: BaselineFile
  private let known: Result<Set<String>, BaselineProblem>
  private let isRecording: Bool

  /// The baseline of a check: the file that it names, from its own folder, or else the one that
  /// `LEAKCHECK_BASELINE` names.
  init?(_ path: String?, beside source: String) {
    let environment = ProcessInfo.processInfo.environment
    guard
      let path = path.map({ Self.resolve($0, beside: source) })
        ?? environment["LEAKCHECK_BASELINE"]
    else { return nil }
    isRecording = environment["LEAKCHECK_RECORD"] == "1"
    name = path.split(separator: "/").last.map(String.init) ?? path
    let file = BaselineFile(path: path)
    self.file = file
    known = Result { () throws(BaselineProblem) in try file.fingerprints() }
  }

  /// Whether a leak is in the file, or has just been added.
  ///
  /// - Throws: ``BaselineProblem`` when the file cannot be read, or not be added to.
  func knows(_ fingerprint: Fingerprint, _ title: String) throws(BaselineProblem) -> Bool {
    do throws(BaselineProblem) {
      if try known.get().contains(fingerprint.description) { return true }
    } catch  where !error.isMissing || !isRecording {
      throw error
    } catch {}
    guard isRecording else { return false }
    try file.add(fingerprint, title)
    return true
  }

  /// What to tell of a problem with it, and what to do.
  func advice(on problem: BaselineProblem) -> String {
    "the baseline \(file.path) was not used: \(problem.reason)"
      + (problem.isMissing && !isRecording ? "; LEAKCHECK_RECORD=1 makes it" : "")
  }

  private static func resolve(_ path: String, beside source: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    return source.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/" + path
  }
}
