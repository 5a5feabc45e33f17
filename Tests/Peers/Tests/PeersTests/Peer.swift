import Foundation
import MemlabKit
import TestSupport

/// The programs of this package, to be run as black boxes.
enum Peer: String {
  case overOpenCombine = "OverOpenCombine"
  case besideAsyncAlgorithms = "BesideAsyncAlgorithms"
  case deliveryBench = "DeliveryBench"

  /// Runs a program and waits until it has ended.
  func run(_ arguments: [String]) throws -> ProgramResult {
    try Program(MemlabBinary.folder.appending(path: rawValue))
      .run(arguments, environment: MemlabBinary.neutral)
  }

  /// Runs a scenario and reads its report.
  func report(of scenario: String) throws -> Report {
    let run = try run([scenario, "--format", "json"])
    return try JSONDecoder().decode(Report.self, from: Data(run.stdout.utf8))
  }
}

/// The checkout of memlab that this package is a part of.
enum Memlab {
  /// Reads a file.
  ///
  /// - Parameter path: The path from the root: `Lessons/README.md`.
  static func text(_ path: String) throws -> String {
    let root = Repository.root.deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
