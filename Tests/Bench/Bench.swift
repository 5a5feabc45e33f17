import Foundation
package import MemlabCLI
import MemlabCourse
import MemlabKit
package import MemlabTerminalText

@main enum Main {
  // Synchronous, because the deterministic scheduler must be there before the first task is.
  static func main() {
    var session = Session(.memlab)
    session.program = memlab
    exit(Bench.run(Array(CommandLine.arguments.dropFirst()), in: session).rawValue)
  }

  /// The program that is measured: it lies beside this one.
  private static var memlab: String? {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = own.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "memlab") }
    return path.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0.path : nil }
  }
}

/// `make bench`: what memlab itself costs, for those who change it.
package enum Bench {
  private static let command = CommandSpec(
    "bench", abstract: "Measure what memlab itself costs.",
    discussion: """
      Prints ratios of processor times taken in one run, so that they depend little on the machine: \
      of a full check, of recording allocations, of reading heaps of 1,000 blocks and more, of \
      virtual time, of many runs of one leak. Exits with 1 when a leak does not grow as it should. \
      Takes about a minute; the figures of a debug build say little.
      """,
    options: [
      .option(
        "most", valueName: "n", help: "The blocks of the largest heap to read.",
        values: .integer(1_000...10_000_000), default: "1000000"),
      .option(
        "format", valueName: "format", help: "How the figures are written.",
        values: .oneOf(BenchFormat.allCases.map(\.rawValue)), default: BenchFormat.text.rawValue),
      .option(
        "from", valueName: "file", help: "Measure nothing; write the figures of this file of JSON.",
        values: .file),
      .option(
        "color", valueName: "when", help: "Use colour.",
        values: .oneOf(ColorChoice.allCases.map(\.rawValue)), default: "auto"),
    ])

  /// Measures, and writes the figures.
  ///
  /// - Parameters:
  ///   - words: What was typed after the program's name.
  ///   - session: The scenarios, the outputs, and the memlab to start.
  /// - Returns: 1 when a leak does not grow, 64 for bad usage, 70 when a figure cannot be measured.
  package static func run(_ words: [String], in session: Session) -> ExitCode {
    do {
      return try answer(words, in: session)
    } catch let error as UsageError {
      try? session.errors.write(error.description)
      return .usage
    } catch {
      try? session.errors.write("Error: \(error)\n")
      return .untrusted
    }
  }

  private static func answer(_ words: [String], in session: Session) throws -> ExitCode {
    let table = CommandTable(
      program: "MemlabBench", abstract: command.abstract, commands: [command],
      defaultCommand: command.name)
    let parser = CommandLineParser(table: table, scenarios: [])
    guard case .command(let invocation) = try parser.parse([command.name] + words) else {
      try session.output.write(table.help(for: command.name))
      return .success
    }
    let report: BenchReport
    if let file = invocation.value("from") {
      report = try JSONDecoder().decode(
        BenchReport.self, from: Data(contentsOf: URL(filePath: file)))
    } else {
      let progress = ProgressLine(on: session.errors)
      defer { progress.clear() }
      report = try measure(upTo: invocation.integer("most") ?? 1_000, in: session, progress)
    }
    let color = invocation.choice("color", as: ColorChoice.self) ?? .auto
    let terminal = Terminal(descriptor: session.output.descriptor, color: color)
    switch invocation.choice("format", as: BenchFormat.self) ?? .text {
    case .json: try session.output.write(BenchReporter.json(of: report))
    case .markdown: try session.output.write(BenchReporter.markdown(of: report))
    case .text:
      for line in BenchReporter.lines(of: report) {
        try session.output.write([line], color: terminal.usesColor)
      }
    }
    return report.asExpected ? .success : .unexpected
  }

  private static func measure(
    upTo most: Int, in session: Session, _ progress: ProgressLine
  ) throws -> BenchReport {
    let scheduler = try session.scheduler(.virtual)
    let witness = try session.app.heap.witness()
    guard let program = session.program else {
      throw BenchError("there is no program memlab beside this one: build it first")
    }
    let pair = AllocationBench.pair()
    var ratios = AllocationBench.ratios()
    ratios.append(try VirtualTimeBench.ratio(session, on: scheduler))
    progress.show("check")
    ratios.append(try StartBench.ratio(of: program))
    let readings = try powersOfTen(from: 1_000, to: most).map { blocks in
      progress.show("a heap of \(blocks) blocks")
      return try ReadingBench.reading(of: blocks, in: pair)
    }
    // Last, for what leaks here makes the heap of all others larger.
    let growth = try growth(upTo: most / 10, session, scheduler, witness, in: pair, progress)
    return BenchReport(ratios: ratios, readings: readings, growth: growth)
  }

  private static func growth(
    upTo most: Int, _ session: Session, _ scheduler: any Scheduler, _ witness: any HeapWitness,
    in pair: Duration, _ progress: ProgressLine
  ) throws -> [BenchReport.Growth] {
    let run = try GrowthBench.run(session, on: scheduler, witness)
    // Once for what is made once.
    _ = try GrowthBench.growth(of: run, 10, in: pair)
    return try powersOfTen(from: 10, to: most).map { instances in
      progress.show("\(instances) runs")
      return try GrowthBench.growth(of: run, instances, in: pair)
    }
  }

  private static func powersOfTen(from first: Int, to last: Int) -> [Int] {
    Array(sequence(first: first) { $0 * 10 }.prefix { $0 <= last })
  }
}

/// What `--format` can name.
enum BenchFormat: String, CaseIterable {
  /// For people.
  case text
  /// For programs: the schema `memlab.bench/1`.
  case json
  /// For `Documentation/Costs.md`, into which `make costs` writes it.
  case markdown
}
