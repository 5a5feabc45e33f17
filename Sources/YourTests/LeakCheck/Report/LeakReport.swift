import MemlabHeapModel
import MemlabPlatform
import Testing

/// What a test is told about one leak.
package struct LeakReport: Sendable {
  /// Whether the test fails, or is only warned: the leak is declared, or in the baseline.
  package let isFailure: Bool
  /// What leaks, why, and how certain that is.
  package internal(set) var text: String
  /// What equal leaks have in common; nil where no leak is reported.
  let fingerprint: String?
  /// What leaks, in a line.
  let title: String
  /// Who holds it, in a line.
  let holder: String
  /// The line of the code that keeps it, or else that of the check; nil where neither is known.
  let location: CodeLocation?
  /// What a reader may look at beside the text; none where nobody keeps files.
  var files: [FindingFile] = []
  /// How many leaks it stands for.
  private(set) var count = 1
  /// The text without the places of elements: that of the reports on all of an array.
  var textOfAll: String { text.replacing(#/\[\d+\]/#, with: "[…]") }

  /// The report on a leak.
  ///
  /// - Parameters:
  ///   - place: where the check stands.
  ///   - survivor: the declaration that covers it.
  ///   - baseline: the leaks that are known.
  ///   - expected: the leak that was expected instead.
  init(
    _ leak: Leak, in finding: Finding, at place: SourceLocation, survivor: KnownSurvivor?,
    baseline: Baseline?, instead expected: ExpectedLeak? = nil
  ) {
    let fingerprint = Fingerprint(of: leak)
    var (known, advice) = (String?.none, String?.none)
    if survivor == nil, let baseline {
      do { known = try baseline.remark(on: fingerprint, leak.title) } catch {
        advice = baseline.advice(on: error)
      }
    }
    isFailure = survivor == nil && known == nil
    self.fingerprint = fingerprint.description
    (title, holder) = (leak.title.shown(), leak.holder.shown())
    let line = leak.location
    location = line ?? place.inCode
    var lines = [leak.title + (line.map { ": see \($0)" } ?? "")] + leak.details
    if let survivor {
      lines[0] += ", as declared: \(survivor.reason)"
    } else {
      lines[0] += expected?.mismatch ?? ""
      if let known { lines[0] += ", as it was before (\(known))" }
      lines.append(finding.certainty(of: leak))
    }
    // The words that stand for what has no name in the source.
    let words = ["a box", "in it → ", "an element", " memory", "[…]", "by way of"]
    if words.contains(where: lines.joined(separator: "\n").contains) {
      lines.append("the words are explained in \"Reading the failure\", in LeakCheck.docc")
    }
    lines.append("fingerprint \(fingerprint)")
    if let advice { lines.append(advice) }
    // A name with a line feed would begin a line, and a build server may obey that.
    text = lines.map { $0.shown() }.joined(separator: "\n")
    if FindingFiles.areWanted { files = leak.files(fingerprint, text) }
  }

  /// Reports of which those are one that are alike: on the first of them, with their number.
  ///
  /// - Parameters:
  ///   - found: what is reported.
  ///   - key: what those that are alike have in common.
  ///   - make: makes a report; asked once for all that are alike.
  static func counted<Found>(
    _ found: [Found], by key: (Found) -> String, _ make: (Found) -> LeakReport
  ) -> [LeakReport] {
    let keys = found.map(key)
    var counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(found, keys).compactMap { found, key in
      guard let count = counts.removeValue(forKey: key) else { return nil }
      var report = make(found)
      report.count = count
      let end = report.text.firstIndex(of: "\n") ?? report.text.endIndex
      if count > 1 { report.text.insert(contentsOf: ", \(count) times", at: end) }
      return report
    }
  }

  /// A report of something else that is to be known, by default another failure.
  ///
  /// - Parameter place: where the check stands.
  init(_ sentence: String, isFailure: Bool = true, at place: SourceLocation? = nil) {
    let text = sentence.shown(keeping: "\n")
    (self.isFailure, self.text, fingerprint, title, holder) = (isFailure, text, nil, text, "")
    location = place?.inCode
  }

  /// Puts its files into the folder for them, outside of Swift Testing.
  package func keepFiles() { FindingFiles.keep(files, of: nil) }

  /// Records it in the current test of Swift Testing.
  ///
  /// Where there is none, nobody might ever see it, so the process ends: an XCTestCase calls the
  /// methods of LeakCheckXCTest instead.
  func recordInTest(at location: SourceLocation) {
    FindingFiles.keep(files, of: location)
    if Test.current == nil, !CommandLine.arguments.contains("swift-testing") {
      guard isFailure else { return print("warning: \(text)") }
      fatalError(
        "\(text)\n(outside of a test of Swift Testing; in an XCTestCase, import "
          + "LeakCheckXCTest and call assertNoLeaks)")
    }
    let comment = Comment(rawValue: text)
    // Swift 6.2 knows no warnings: there they are printed.
    #if compiler(>=6.3)
      let severity = isFailure ? Issue.Severity.error : .warning
      Issue.record(comment, severity: severity, sourceLocation: location)
    #else
      guard isFailure else { return print("warning: \(text)") }
      Issue.record(comment, sourceLocation: location)
    #endif
  }
}

extension Finding {
  /// How certain the finding is.
  fileprivate func certainty(of leak: Leak) -> String {
    switch (reason, look) {
    case (.certain, let look):
      "certain: "
        + ((try? look.get())?.spentWay?.rawValue ?? "nothing that lives can reach it any more")
    case (.idle(let time), .success(let look)) where !look.tasks.isEmpty:
      "nothing is running that could end it (waited \(time.inHundredths))"
    case (.idle(let time), _):
      (leak.isKeptByGlobal ? "kept by a global variable; " : "")
        + "nothing that this check started is still running (waited \(time.inHundredths))"
    case (.timeIsUp(let limit), .success(let look)):
      "gave up waiting after \(limit): something may yet end it"
        + (look.pending.map { ", such as \($0)" } ?? "") + ", but has not"
    case (.timeIsUp(let limit), .failure(let error)):
      "gave up waiting after \(limit); the heap was not read: \(error.reason)"
    case (.cancelled, .success): "stopped waiting: the test was cancelled"
    case (.cancelled, .failure(let error)):
      "stopped waiting: the test was cancelled; the heap was not read: \(error.reason)"
    }
  }
}

extension Duration {
  // Half a second is "0.5 seconds".
  fileprivate var inHundredths: Duration { .milliseconds(Int64(self / .milliseconds(10)) * 10) }
}
