import MemlabCLI
import MemlabTerminalText

/// The figures, for people and for programs.
enum BenchReporter {
  /// The schema `memlab.bench/1`, with its version as the first key.
  static func json(of report: BenchReport) throws -> String {
    try VersionedJSON.text(of: report, schema: BenchReport.schema) + "\n"
  }

  /// The same figures as the lines of text, in the tables of a page.
  static func markdown(of report: BenchReport) -> String {
    let ratios = report.ratios.map { [$0.meaning, "× \($0.ratio.shown)"] }
    let power = decimal(report.growthExponent, places: 2)
    return [
      "",
      table(["\(report.configuration) build", "ratio"], ratios),
      table(["blocks", "a snapshot, a block, over a pair", "a path, a block"], readings(report)),
      table(["runs of a leak", "bytes left by each", "time of each, over a pair"], growth(report)),
      "A *pair* is one `malloc` and its `free`. The time grows with the number of runs to the power "
        + "of \(power).\n",
      "",
    ].joined(separator: "\n")
  }

  private static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let rule = heading.map { _ in "---" }
    return ([heading, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// The lines of text.
  static func lines(of report: BenchReport) -> [StyledText] {
    let power = decimal(report.growthExponent, places: 2)
    var lines = [heading(report), ""] + ratios(report) + ["", "  over one malloc and its free:"]
    lines += columns(["blocks", "a snapshot, a block", "a path, a block"], readings(report))
    lines += ["", "  strong-self --ending cancel, many times over:"]
    lines += columns(["runs", "bytes left by each", "time of each"], growth(report))
    return lines + ["  the time grows with the number of runs to the power of \(power)"]
  }

  private static func heading(_ report: BenchReport) -> StyledText {
    let title = StyledText("What memlab costs, in ratios of processor times", .emphasis)
    guard report.configuration == "debug" else { return title + " (release build)" }
    return title
      + StyledText("\nThis is a debug build: its figures say little. Try 'make bench'.", .leaked)
  }

  private static func ratios(_ report: BenchReport) -> [StyledText] {
    report.ratios.flatMap { ratio -> [StyledText] in
      let lines = ratio.meaning.wrapped(to: 80 - 13)
      let figure = ("× " + ratio.ratio.shown).padded(to: 11, .right) + "  "
      return lines.enumerated().map { index, line in
        StyledText((index == 0 ? figure : String(repeating: " ", count: 13)) + line)
      }
    }
  }

  private static func readings(_ report: BenchReport) -> [[String]] {
    report.readings.map {
      ["\($0.blocks)", "× \($0.snapshotPerBlock.shown)", "× \($0.pathPerBlock.shown)"]
    }
  }

  private static func growth(_ report: BenchReport) -> [[String]] {
    report.growth.map {
      ["\($0.instances)", $0.bytesPerInstance.shown, "× \($0.allocationsPerInstance.shown)"]
    }
  }

  private static func columns(_ heading: [StyledText], _ rows: [[String]]) -> [StyledText] {
    var table = Table(columns: [.number(), .number(), .number()])
    table.add(heading, style: .dim)
    for row in rows { table.add(row.map { StyledText($0) }) }
    return table.lines(indent: 4)
  }
}

extension Double {
  /// Three figures, or the whole number where there are more.
  fileprivate var shown: String {
    var places = 0
    while places < 3, abs(self) * [1, 10, 100, 1_000][places] < 100 { places += 1 }
    return decimal(self, places: places)
  }
}
