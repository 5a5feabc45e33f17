import Foundation
import MemlabKit
import OpenCombine
import TestSupport
import Testing

@testable import MemlabScenarios

@Suite("The scenarios of “Memory management in Combine”, over OpenCombine")
struct OpenCombineTests {
  private static let ids = Catalog.scenarios.filter { $0.document == .combineMemory }.map(\.id)

  @Test("are built on it, through their own 'canImport(Combine)'") func module() {
    let publisher = AssignOnSelf.Clock.ObjectWillChangePublisher.self
    #expect(publisher == OpenCombine.ObservableObjectPublisher.self)
  }

  @Test("are all there") func count() { #expect(Self.ids.count == 12) }

  @Test("measure what they declare, as over the small Combine in Patterns") func check() throws {
    let recorded = try Memlab.text("Tests/CLITests/Golden/check.txt")
    let ids = Catalog.scenarios.map(\.id).filter { recorded.contains("✓ \($0) ") }
    let run = try Peer.overOpenCombine.run(["check"] + ids).exits(0)
    try expectEqual(run.stdout, recorded)
  }

  @Test(
    "are reported in the same bytes, but for the chains inside of the libraries", arguments: ids)
  func report(id: String) throws {
    let run = try Peer.overOpenCombine.run([id]).exits(0)
    let recorded = try Memlab.text("Tests/CLITests/Golden/run-\(id).txt")
    try expectEqual(withoutHeap(run.stdout), withoutHeap(recorded))
  }

  private func expectEqual(_ actual: String, _ expected: String) throws {
    #expect(LineDiff.text(from: expected.newlineSeparated, to: actual.newlineSeparated) == "")
  }

  /// A report without what was read from the heap, and without the remark that it was not.
  private func withoutHeap(_ report: String) -> String {
    var paragraphs = report.split(separator: "\n\n", omittingEmptySubsequences: false).map(
      String.init)
    let heading = paragraphs.removeFirst().newlineSeparated.prefix(3).joined(separator: "\n")
    return ([heading] + paragraphs.filter { !$0.hasPrefix("    why ") }).joined(separator: "\n\n")
  }
}

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

@Suite("The delivery benchmark") struct DeliveryTests {
  private static let names = [
    "AsyncBroadcastStream", "share()", "share(.unbounded)", "PassthroughSubject, Patterns",
    "PassthroughSubject, OpenCombine",
  ]

  @Test("delivers every value to every consumer, and says how fast") func quick() throws {
    let run = try Peer.deliveryBench.run(["--quick"]).exits(0)
    let lines = run.stdout.split(separator: "\n").suffix(Self.names.count)
    for (name, line) in zip(Self.names, lines) {
      #expect(line.hasPrefix(name))
      let figures = line.dropFirst(name.count).split(separator: " ").filter { $0 != "0" }
      #expect(figures.count == 6, "\(line)")
    }
  }

  @Test("refuses what it does not know") func unknown() throws {
    let run = try Peer.deliveryBench.run(["--slow"]).exits(64)
    #expect(run.stderr == "Error: '--slow' is not understood; the only option is '--quick'\n")
  }
}
