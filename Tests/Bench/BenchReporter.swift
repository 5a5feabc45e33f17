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
    let readings = report.readings.map {
      ["\($0.blocks)", "× \($0.snapshotPerBlock.shown)", "× \($0.pathPerBlock.shown)"]
    }
    let growth = report.growth.map {
      ["\($0.instances)", $0.bytesPerInstance.shown, "× \($0.allocationsPerInstance.shown)"]
    }
    let power = decimal(report.growthExponent, places: 2)
    return [
      "",
      table(["\(report.configuration) build", "ratio"], ratios),
      table(["blocks", "a snapshot, a block, over a pair", "a path, a block"], readings),
      table(["runs of a leak", "bytes left by each", "time of each, over a pair"], growth),
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
    [heading(report), ""] + ratios(report) + [""] + readings(report) + [""] + growth(report)
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

  private static func readings(_ report: BenchReport) -> [StyledText] {
    var table = Table(columns: [.number(), .number(), .number()])
    table.add(["blocks", "a snapshot, a block", "a path, a block"], style: .dim)
    for reading in report.readings {
      table.add([
        "\(reading.blocks)", StyledText("× " + reading.snapshotPerBlock.shown),
        StyledText("× " + reading.pathPerBlock.shown),
      ])
    }
    return ["  over one malloc and its free:"] + table.lines(indent: 4)
  }

  private static func growth(_ report: BenchReport) -> [StyledText] {
    var table = Table(columns: [.number(), .number(), .number()])
    table.add(["runs", "bytes left by each", "time of each"], style: .dim)
    for growth in report.growth {
      table.add([
        "\(growth.instances)", StyledText(growth.bytesPerInstance.shown),
        StyledText("× " + growth.allocationsPerInstance.shown),
      ])
    }
    let power = decimal(report.growthExponent, places: 2)
    let line: StyledText = "  the time grows with the number of runs to the power of \(power)"
    return ["  strong-self --ending cancel, many times over:"] + table.lines(indent: 4) + [line]
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
