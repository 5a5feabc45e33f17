import TestSupport

/// Compares a block with all that one command prints: a diagram, a page of JSON.
struct OutputChecker: Sendable {
  /// Runs memlab.
  let memlab: BlockChecker.Memlab

  /// What is wrong with the block, and the block as it should be.
  func check(_ block: FencedBlock, command: String) -> BlockResult {
    guard case .memlab(let arguments, let variables) = TranscriptCommand(command) else {
      return .bad("'output:' names a command of memlab, not '\(command)'")
    }
    guard OtherSwift.canRun(arguments) else { return .good }
    do {
      let result = try memlab(arguments, variables)
      guard result.exitCode == 0, result.stderr.isEmpty else {
        return .bad("'\(command)' ends with \(result.exitCode): \(result.stderr)")
      }
      return .comparing(
        block, with: result.stdout.outputLines, what: "'\(command)' prints something else")
    } catch { return .bad("memlab can't be run: \(error)") }
  }
}
