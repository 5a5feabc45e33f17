import MemlabPlatform

/// The leaks that are known.
///
/// With `LEAKCHECK_RECORD=1` in the environment, leaks that are new are added to them.
struct Baseline {
  /// The file's name.
  let name: String
  private let file: BaselineFile
  private let test: String?
  private let known: Result<[BaselineFile.Entry], BaselineProblem>
  private let isRecording: Bool

  /// The baseline of a check: the file that it names, from its own folder, or else the one that
  /// `LEAKCHECK_BASELINE` names.
  ///
  /// - Parameter test: the test that is judged, where all of it is.
  init?(_ path: String?, beside source: String, of test: String? = nil) {
    let folder = source.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let own = path.map { $0.hasPrefix("/") ? $0 : folder.joined(separator: "/") + "/" + $0 }
    guard let path = own ?? setting("LEAKCHECK_BASELINE") else { return nil }
    isRecording = setting("LEAKCHECK_RECORD") == "1"
    name = path.split(separator: "/").last.map(String.init) ?? path
    file = BaselineFile(path: path)
    self.test = test
    known = Result { [file] () throws(BaselineProblem) in try file.entries() }
  }

  /// What is said of a leak that is in the file, or has just been added; nil for one that is not.
  ///
  /// - Throws: ``BaselineProblem`` when the file cannot be read, or not be added to.
  func remark(on fingerprint: Fingerprint, _ title: String) throws(BaselineProblem) -> String? {
    do throws(BaselineProblem) {
      let entry = try known.get().first { $0.fingerprint == fingerprint.description }
      if let entry { return entry.reason.map { "\(name): \($0)" } ?? name }
    } catch  where !error.isMissing || !isRecording {
      throw error
    } catch {}
    guard isRecording else { return nil }
    try file.add(fingerprint.description, title, of: test)
    return name
  }

  /// What to tell of a problem with it, and what to do.
  func advice(on problem: BaselineProblem) -> String {
    "the baseline \(file.path) was not used: \(problem)"
      + (problem.isMissing && !isRecording ? "; LEAKCHECK_RECORD=1 makes it" : "")
  }

  /// What is known of some tests and was not found when they ran, a sentence each.
  ///
  /// - Parameters:
  ///   - tests: the tests that were judged.
  ///   - found: the fingerprints of what they have left behind.
  static func gone(from tests: Set<String>, _ found: Set<String>) -> [String] {
    guard let baseline = Baseline(nil, beside: ""), let known = try? baseline.known.get() else {
      return []
    }
    return known.filter { entry in
      entry.test.map(tests.contains) == true && !found.contains(entry.fingerprint)
    }.map { entry in
      "\(baseline.name):\(entry.line): \(entry.title), in \(entry.test ?? ""), is gone: remove the line"
        .shown()
    }
  }
}
