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
    var shortest = Duration.seconds(3_600)
    for _ in 0..<times {
      let child = try ChildProcess(program, [argument])
      guard child.code == 0 else {
        throw BenchError("'memlab \(argument)' did not end with 0")
      }
      shortest = min(shortest, child.processorTime)
    }
    return shortest
  }
}
