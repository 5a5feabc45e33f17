package import MemlabKit
import TerminalText

extension CheckReport {
  /// The check in a sentence, with how many endings ran and how many did not.
  package var sentence: String {
    let counts = summary
    return "\(counted(counts.ran, "ending")) of \(counts.endings) ran, \(counts.skipped) skipped: "
      + "\(counts.asDeclared) as declared, \(counts.differing) not\(unmeasured)"
  }

  /// How many endings came out how, on a terminal: "1 scenario, 3 endings: 3 as declared, 0 not".
  var counts: StyledText {
    let skipped = summary.skipped > 0 ? "; \(summary.skipped) skipped" : ""
    return StyledText(
      "\(counted(summary.scenarios, "scenario")), \(counted(summary.ran, "ending")): ")
      + StyledText("\(summary.asDeclared) as declared", .clean) + ", "
      + StyledText("\(summary.differing) not", summary.differing > 0 ? .leaked : nil)
      + StyledText(unmeasured, .leaked) + StyledText(skipped)
  }

  /// How many endings could not be measured, to end a sentence; empty where all could.
  package var unmeasured: String {
    summary.untrusted > 0 ? ", \(summary.untrusted) not measured" : ""
  }
}

extension CheckResult {
  /// What differs, or why nothing was measured, a sentence each.
  var complaints: [String] { differences + (status == .untrusted ? [reason ?? ""] : []) }
}
