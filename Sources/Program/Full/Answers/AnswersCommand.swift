import MemlabCLI
import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// `memlab answers`: what the learner at this machine has answered, or a class.
enum AnswersCommand: Command {
  static let isOfMemlabAlone = true

  private enum Format: String, CaseIterable { case text, json, csv }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let format = invocation.choice("format", as: Format.self) ?? .text
    if let folder = invocation.value("class") {
      let report = ClassReport(of: try files(in: folder, invocation))
      switch format {
      case .json: try session.output.write(json: report, schema: ClassReport.schema)
      case .csv: try session.output.write(control: report.csv)
      case .text: try session.write(report.lines, for: invocation)
      }
      return .success
    }
    guard let log = AnswerLog.ofUser, log.consent == true else {
      try session.output.write(
        "No answers are kept on this machine. 'memlab walk' asks whether they may be.\n")
      return .success
    }
    let file = try AnswerFile(path: log.path)
    let first = file.first
    let answers = file.records.map(\.item).uniqued().compactMap { first[$0] }
    switch format {
    case .json:
      try session.output.write(json: ["answers": answers], schema: "memlab.answers-of-learner/1")
    case .csv:
      let rows = answers.map { answer in
        [
          answer.item, answer.answer, answer.right.map { "\($0)" } ?? "", answer.rule ?? "",
          answer.seconds.map { "\($0)" } ?? "",
        ]
      }
      try session.output.write(
        control: csv([["item", "answer", "right", "rule", "seconds"]] + rows))
    case .text: try session.write(lines(of: answers, file, log), for: invocation)
    }
    return .success
  }

  private static func files(in folder: String, _ invocation: Invocation) throws -> [AnswerFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let paths = names.filter { $0.hasSuffix(".jsonl") }.sorted().map { "\(folder)/\($0)" }
    guard !paths.isEmpty else {
      throw invocation.usageError(
        "\(quoted(folder)) has no files that end in .jsonl. Give it the folder with one answers file "
          + "for each learner.")
    }
    return try paths.map(AnswerFile.init)
  }

  private static func lines(
    of answers: [AnswerRecord], _ file: AnswerFile, _ log: AnswerLog
  ) -> [StyledText] {
    var table = Table(columns: [.text(), .text(), .text(), .text()])
    table.add(["item", "first answer", "", "belief"], style: .dim)
    for answer in answers {
      let verdict =
        answer.right.map { $0 ? StyledText("right", .clean) : StyledText("wrong", .emphasis) } ?? ""
      table.add([
        StyledText(answer.item.shown()), StyledText(answer.answer.shown()), verdict,
        StyledText(answer.rule?.shown() ?? ""),
      ])
    }
    let judged = answers.filter { $0.right != nil }
    let right = judged.count { $0.right == true }
    let damaged =
      file.damaged > 0
      ? [StyledText("\(counted(file.damaged, "line")) of \(log.path) cannot be read.")] : []
    return table.lines() + ["", StyledText("\(right) of \(judged.count) are right.", .emphasis)]
      + damaged + [StyledText("They are in \(log.path); delete it to forget them.", .dim)]
  }
}

extension ClassReport {
  fileprivate var lines: [StyledText] {
    var table = Table(columns: [.text(), .number(), .number(), .number(), .text(), .text()])
    table.add(["item", "answers", "right", "discr.", "belief", ""], style: .dim)
    for item in items {
      table.add([
        StyledText(item.item.shown()), "\(item.answers)", StyledText(percent(item.right)),
        StyledText(item.discrimination.map { "\(($0 * 100).rounded() / 100)" } ?? "–"),
        StyledText(item.belief?.shown() ?? ""), StyledText(item.remark ?? "", .emphasis),
      ])
    }
    var summary = ["\(counted(learners, "learner"))"]
    if damagedLines > 0 { summary.append("\(counted(damagedLines, "line")) could not be read") }
    var lines = [StyledText(summary.joined(separator: "; "), .heading), ""] + table.lines()
    if let gain {
      let range = gain.interval.map { ", 95 % interval \(points($0[0])) to \(points($0[1]))" }
      let text =
        "inventory: \(percent(gain.before)) right before, \(percent(gain.after)) after, of "
        + "\(counted(gain.learners, "learner")): gain \(points(gain.gain))\(range ?? "")"
      lines += ["", StyledText(text)]
    }
    return lines
  }

  fileprivate var csv: String {
    let rows = items.map { item in
      [
        item.item, "\(item.answers)", "\(item.right)", item.discrimination.map { "\($0)" } ?? "",
        item.belief ?? "", item.remark ?? "",
      ]
    }
    return MemlabFull.csv(
      [["item", "answers", "right", "discrimination", "belief", "remark"]] + rows)
  }
}

private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

// From 44 % to 75 % is not 31 % more.
private func points(_ gain: Double) -> String { "\(Int((gain * 100).rounded())) points" }

/// Rows as RFC 4180 has them; what a table calculation would take for a formula begins with an apostrophe.
private func csv(_ rows: [[String]]) -> String {
  rows.map { row in
    row.map { text in
      let cell = text.shown(keeping: "\n").withoutCommands
      let isFormula = cell.unicodeScalars.first.map("=+-@".unicodeScalars.contains) == true
      let shown = isFormula && Double(cell) == nil ? "'" + cell : cell
      let isPlain = !shown.unicodeScalars.contains { "\",\n".unicodeScalars.contains($0) }
      return isPlain ? shown : "\"\(shown.replacing(scalars: ["\"": "\"\""]))\""
    }.joined(separator: ",") + "\r\n"
  }.joined()
}
