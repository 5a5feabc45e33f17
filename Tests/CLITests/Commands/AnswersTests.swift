import Foundation
import MemlabFull
import MemlabPlatform
import TestSupport
import Testing

@Suite("memlab answers") struct AnswersTests {
  private struct Report: Decodable {
    struct Item: Decodable {
      let item: String
      let answers: Int
      let right: Double
      let discrimination: Double?
      let belief: String?
    }

    struct Gain: Decodable {
      let learners: Int
      let before, after, gain: Double
      let interval: [Double]?
    }

    let schema: String
    let learners, damagedLines: Int
    let items: [Item]
    let gain: Gain?
  }

  private static func line(_ item: String, right: Bool, rule: String? = nil) -> String {
    let rule = rule.map { #","rule":"\#($0)""# } ?? ""
    return #"{"answer":"1","item":"\#(item)","right":\#(right)\#(rule),"v":1}"#
  }

  private let folder: URL
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

  init() throws { folder = try Scratch.folder() }

  private func report(of files: [String]) throws -> Report {
    for (place, text) in files.enumerated() {
      try Scratch.write(text, to: folder.appending(path: "\(place).jsonl"))
    }
    let run = try MemlabBinary.run(["answers", "--class", folder.path, "--format", "json"])
    return try run.exits(0).stdout.decoded()
  }

  /// Thirty learners, of whom the first n have item n right: then each share is known, and each item
  /// tells the strong from the weak.
  @Test("tells of a class what was put into its files") func knownClass() throws {
    let solved = [27, 15, 6, 30]
    let files = (0..<30).map { learner in
      let items = solved.enumerated().map { item, count in
        Self.line("walk/a/b/\(item)", right: learner < count, rule: "rule-\(learner % 3)")
      }
      // A second answer to an item says what somebody has been told.
      return (items + [Self.line("walk/a/b/1", right: true)]).joined(separator: "\n") + "\n"
    }
    let report = try report(of: files)
    #expect(report.schema == "memlab.answers-of-class/1")
    #expect(report.learners == 30 && report.damagedLines == 0)
    #expect(report.items.map(\.right) == [0.9, 0.5, 0.2, 1])
    #expect(report.items.map(\.answers) == [30, 30, 30, 30])
    #expect(report.items[3].discrimination == nil && report.items[3].belief == nil)
    let own = (0..<30).map { $0 < 27 ? 1.0 : 0 }
    let rest = (0..<30).map { learner in Double([15, 6, 30].count { learner < $0 }) / 3 }
    #expect(abs((report.items[0].discrimination ?? 9) - Self.correlation(own, rest)) < 1e-9)
    // Learners 27, 28 and 29 are wrong about it, by three rules: the first by name.
    #expect(report.items[0].belief == "rule-0")
    #expect(report.gain == nil)
  }

  // The textbook's form, with the means of both groups, and not the product of differences.
  private static func correlation(_ right: [Double], _ scores: [Double]) -> Double {
    let count = Double(scores.count)
    let mean = scores.reduce(0, +) / count
    let deviation = (scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    let passed = zip(right, scores).filter { $0.0 == 1 }.map(\.1)
    let failed = zip(right, scores).filter { $0.0 == 0 }.map(\.1)
    let one = passed.reduce(0, +) / Double(passed.count)
    let (other, share) = (failed.reduce(0, +) / Double(failed.count), Double(passed.count) / count)
    return (one - other) / deviation * (share * (1 - share)).squareRoot()
  }

  @Test("tells the gain, with its interval") func gain() throws {
    // Gains of 0, 1/2, 1/2 and 1: the mean is 1/2, and the deviation 0.408.
    let sets: [([Bool], [Bool])] = [
      ([true, false], [true, false]), ([true, false], [true, true]),
      ([false, false], [true, false]), ([false, false], [true, true]),
    ]
    let files = sets.map { before, after in
      (before.enumerated().map { Self.line("inventory/before/\($0 + 1)", right: $1) }
        + after.enumerated().map { Self.line("inventory/after/\($0 + 1)", right: $1) })
        .joined(separator: "\n")
    }
    let gain = try #require(report(of: files + [""]).gain)
    #expect(gain.learners == 4 && gain.before == 0.25 && gain.after == 0.75 && gain.gain == 0.5)
    // The quantile for three degrees of freedom is 3.1824: a half of 0.6496.
    let interval = try #require(gain.interval)
    #expect(abs(interval[0] + 0.1496) < 0.001 && abs(interval[1] - 1.1496) < 0.001)
  }

  @Test("has rows that a table calculation reads, and in which it calculates nothing")
  func csv() throws {
    let items = [
      "plain", "a,b", #"say \"x\u0301\""#, #"two\r\nlines"#, "=1+1", "-2", #"\u001b[31m"#,
    ]
    try items.map { Self.line($0, right: true) }.joined(separator: "\n").write(
      to: folder.appending(path: "a.jsonl"), atomically: true, encoding: .utf8)
    let run = try MemlabBinary.run(["answers", "--class", folder.path, "--format", "csv"])
    let rows = run.exits(0).stdout.split(separator: "\r\n").map(String.init)
    #expect(rows.first == "item,answers,right,discrimination,belief,remark")
    let cells = [
      "plain", "\"a,b\"", "\"say \"\"x\u{301}\"\"\"", "\"two\\u{D}\nlines\"", "'=1+1", "-2",
      "\\u{1B}[31m",
    ]
    #expect(Set(rows.dropFirst()) == Set(cells.map { "\($0),1,1.0,,,too easy" }), "\(rows)")
  }

  @Test("counts damaged lines, and goes on") func damaged() throws {
    let report = try report(of: ["{\"v\":1,\n" + Self.line("a", right: true) + "\n\u{0}\n"])
    #expect(report.damagedLines == 2 && report.items.map(\.item) == ["a"])
  }

  @Test("refuses a file of a later version, and a folder without files") func refusals() throws {
    let words = ["answers", "--class", folder.path]
    try MemlabBinary.run(words).exits(64).complains("has no files that end in .jsonl")
    try Scratch.write("{\"v\":2}\n", to: folder.appending(path: "a.jsonl"))
    try MemlabBinary.run(words).exits(65).complains("version 2, and this memlab reads version 1")
  }

  @Test("keeps every answer where several processes keep some at once, and after one was cut off")
  func appending() async throws {
    let file = folder.appending(path: "answers.jsonl")
    try Data(#"{"v":1,"item":"cut o"#.utf8).write(to: file)
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          // Each opens the file for itself, as a process does.
          let records = (0..<50).map {
            AnswerRecord(item: "item/\(writer)-\($0)", answer: "1", right: true)
          }
          for record in records { try? AnswerLog(path: file.path).append([record]) }
        }
      }
    }
    let words = ["answers", "--class", folder.path, "--format", "json"]
    let report = try MemlabBinary.run(words).exits(0).stdout.decoded(as: Report.self)
    #expect(report.items.count == 400 && report.damagedLines == 1)
  }

  @Test("says where answers cannot be kept") func unwritable() throws {
    let error = #expect(throws: OutputError.self) { try AnswerLog(path: folder.path).append([]) }
    #expect(error?.description.contains(folder.path) == true)
  }

  @Test("says that nothing is kept where nothing is") func nothing() throws {
    let run = try MemlabBinary.run(["answers"], environment: ["XDG_DATA_HOME": folder.path])
    #expect(run.exits(0).stdout.hasPrefix("No answers are kept on this machine."))
  }

  #if os(Linux)
    @Test(
      "keeps what is predicted, asks about the same belief again, and forgets nothing", .needsHeap)
    func learner() throws {
      let terminal = try PseudoTerminal(
        ["walk", "abandoned-continuation", "--ending", "cancel"], environment: environment)
      try terminal.type("1\n", after: "Is the one object deinitialised?")
      try terminal.type("1\n", after: "Does the one task still live?")
      try terminal.type("5\n", after: "(1 to 5, Enter skips, q quits) ")
      try terminal.type("nnnnnn", after: "step 1 of")
      let summary = try terminal.wait(for: "See 'memlab beliefs --for")
      #expect(summary.contains("This follows from a belief: A task that waits holds nothing."))
      try terminal.type("x\n", after: "Keep them? (y/n) ")
      try terminal.type("y\n", after: "(y/n) ")
      try terminal.type("q\n", after: "would the same belief be right there?").ends()
      let file = folder.appending(path: "memlab/answers.jsonl")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let wrong = lines.filter { $0.contains(#""right":false"#) }
      #expect(lines.count == 3 && wrong.count == 2, "\(lines)")
      #expect(wrong.allSatisfy { $0.contains(#""rule":"waiting-holds-nothing""#) })
      try MemlabBinary.run(["answers"], environment: environment).exits(0).says(
        "walk/abandoned-continuation/cancel/held", "1 of 3 are right.")
    }

    @Test("keeps nothing where the learner says no, and does not ask again", .needsHeap)
    func refusal() throws {
      for isFirst in [true, false] {
        let terminal = try PseudoTerminal(["inventory", "before"], environment: environment)
        try terminal.type("1\nq\n", after: "What is true when the program has run?")
        if isFirst { try terminal.type("n\n", after: "Keep them? (y/n) ") }
        try terminal.wait(for: "1 of 12 answered.")
        #expect(terminal.end() == 0)
      }
      let kept = try FileManager.default.contentsOfDirectory(
        atPath: folder.appending(path: "memlab").path)
      #expect(kept == ["answers.jsonl.off"])
    }
  #endif
}
