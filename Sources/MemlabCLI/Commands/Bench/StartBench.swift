/// What checking everything costs, beside starting a program that prints a line.
enum StartBench {
  private static let check = ["check"]
  private static let line = ["--version"]

  /// A full `memlab check` over `memlab --version`, each in a process of its own.
  static func ratio() throws(BenchError) -> BenchReport.Ratio {
    let memlab = ChildTime.memlab
    var (all, one) = (Duration.seconds(3_600), Duration.seconds(3_600))
    for _ in 0..<3 { all = min(all, try ChildTime.of(memlab, check)) }
    for _ in 0..<20 { one = min(one, try ChildTime.of(memlab, line)) }
    return .init(
      name: "check",
      meaning: "memlab check, every scenario and every ending, over memlab --version",
      ratio: all / one)
  }
}
