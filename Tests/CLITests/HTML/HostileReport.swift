import FoundationEssentials
import MemlabCLI
import MemlabKit
import MemlabSite
import MemlabTerminalText

/// A page of which every text is out to break it.
enum HostileReport {
  /// What every text is.
  static let text = "</script></svg>\"'><img src=x onerror=alert(1)>&amp;]]>\u{0}\u{202E}--><b>"

  static var page: HTMLPage {
    get throws {
      let data = Data(json.utf8)
      let report = try JSONDecoder().decode(Report.self, from: data)
      return HTMLPage(
        [
          HTMLPage.Subject(
            scenario: scenario, report: report, code: "// \(text)\nlet x = \"\(text)")
        ], remark: text)
    }
  }

  private static var scenario: Scenario {
    Scenario(
      id: text, title: text, document: Document(file: text, title: text), place: text, lesson: text,
      question: text, hint: text, next: text, fixedBy: "other" + text,
      endings: [Ending(text, text, expects: .nothing, explanation: text, run: { _ in })])
  }

  private static var quoted: String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\"
        ? "\\\(scalar)" : scalar == "\u{0}" ? "\\u0000" : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }

  private static var json: String {
    """
    { "scenario": \(quoted), "document": \(quoted), "asExpected": false, "trials": [ {
      "ending": \(quoted), "verdict": "leak", "asExpected": false, "liveTasks": 1,
      "objects": [ { "type": \(quoted), "created": 1, "deinitialized": 0 } ],
      "tasks": [ { "name": \(quoted), "started": 1, "finished": 0 } ],
      "metrics": { \(quoted): 1 }, "differences": [ \(quoted) ],
      "steps": [ { "index": 1, "text": \(quoted), "changes": [ \(quoted) ] } ],
      "claims": [ { "text": \(quoted), "original": \(quoted), "holds": false, "asExpected": true,
        "because": \(quoted) } ],
      "heap": { "alive": {}, "liveTasks": 1, "cycles": 0, "leakedBlocks": 1, "leakedBytes": 1,
        "tasks": [ { "name": \(quoted), "isCancelled": false, "frames": [] } ],
        "paths": [ { "type": \(quoted), "heldBy": \(quoted), "referencesFound": 1,
          "root": { "kind": "task", "name": \(quoted), "suspendedIn": \(quoted), "frames": [] },
          "links": [
            { "kind": "field", "name": \(quoted), "to": "A\(quoted.dropFirst()), "isObject": true },
            { "kind": "field", "name": \(quoted), "to": \(quoted), "isObject": true } ] } ] }
    } ] }
    """
  }
}
