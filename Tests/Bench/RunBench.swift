import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// How much time passes for a scenario, beside what it really takes.
enum VirtualTimeBench {
  private static let scenario = "broadcast-stream"
  private static let ending = "demo"

  /// The virtual time of the broadcast stream's demonstration, which sleeps between its messages, over
  /// the processor time that it takes.
  ///
  /// - Throws: `BenchError` when there is no such scenario or it takes no time, and what a trial
  ///   throws.
  static func ratio(_ session: Session, on scheduler: any Scheduler) throws -> BenchReport.Ratio {
    let ending = try session.scenarios.ending(Self.ending, of: scenario)
    var shown = Duration.zero
    let real = try best(of: 5) {
      // While the scheduler is the virtual one, this clock is its own.
      let start = ContinuousClock.now
      _ = try Trial(of: ending, on: scheduler).run()
      shown = ContinuousClock.now - start
    }
    guard shown > .zero else { throw BenchError("no virtual time passes in '\(scenario)'") }
    return .init(
      name: "time",
      meaning: "the time that passes in \(scenario), ending \(ending.name), over the time it takes",
      ratio: shown / real)
  }
}

extension [Scenario] {
  /// An ending of one of these scenarios.
  ///
  /// - Throws: `BenchError` when there is none of these names.
  func ending(_ name: String, of scenario: String) throws(BenchError) -> Ending {
    let ending = first { $0.id == scenario }?.endings.first { $0.name == name }
    guard let ending else {
      throw BenchError("there is no ending '\(name)' of '\(scenario)' to run")
    }
    return ending
  }
}

/// What checking everything costs, beside starting a program that prints a line.
enum StartBench {
  /// A full `memlab check` over `memlab --version`, each in a process of its own.
  ///
  /// - Parameter program: the file of this program.
  /// - Throws: `ChildProcessError` when it cannot be started, `BenchError` when it ends otherwise
  ///   than with 0.
  static func ratio(of program: String) throws -> BenchReport.Ratio {
    let all = try shortest(of: 3, program, "check")
    let one = try shortest(of: 20, program, "--version")
    return .init(
      name: "check",
      meaning: "memlab check, every scenario and every ending, over memlab --version",
      ratio: all / one)
  }

  // What disturbs it makes it longer, never shorter.
  private static func shortest(
    of times: Int, _ program: String, _ argument: String
  ) throws -> Duration {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    var shortest = Duration.seconds(3_600)
    for _ in 0..<times {
      let child = try ChildProcess.runInTerminal(program, [argument], output: nowhere)
      guard child.code == 0 else { throw BenchError("'memlab \(argument)' did not end with 0") }
      shortest = min(shortest, child.processorTime)
    }
    return shortest
  }
}

/// What a leak leaves behind, and how long it takes, with ever more runs.
enum GrowthBench {
  // The first round is not counted, and a slope needs two.
  private static let rounds = 3
  private static let scenario = "strong-self"
  private static let ending = "cancel"

  /// The leak of a task that captures `self`, ready to be run.
  ///
  /// - Throws: `BenchError` when there is no such scenario.
  static func run(
    _ session: Session, on scheduler: any Scheduler, _ witness: any HeapWitness
  ) throws(BenchError) -> GrowthRun {
    let ending = try session.scenarios.ending(Self.ending, of: scenario)
    return GrowthRun(of: ending, on: scheduler, witness: witness)
  }

  /// Runs an ending this often a round.
  ///
  /// - Throws: What a trial throws.
  static func growth(
    of run: GrowthRun, _ instances: Int, in pair: Duration
  ) throws -> BenchReport.Growth {
    var measured = Growth(instances: instances, liveBytes: [], liveBlocks: [])
    let time = try ProcessorTime.of { measured = try run.run(instances: instances, rounds: rounds) }
    return .init(
      instances: instances, bytesPerInstance: measured.bytesPerInstance,
      allocationsPerInstance: Double(time / pair) / Double(instances * rounds))
  }
}
