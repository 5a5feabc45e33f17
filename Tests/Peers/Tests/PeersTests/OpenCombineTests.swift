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
    let run = try Peer.overOpenCombine.run(["check"])
    #expect(run.exitCode == 0)
    try expectEqual(run.stdout, Memlab.text("Tests/CLITests/Golden/check.txt"))
  }

  @Test(
    "are reported in the same bytes, but for the chains inside of the libraries", arguments: ids)
  func report(id: String) throws {
    let run = try Peer.overOpenCombine.run([id])
    #expect(run.exitCode == 0)
    let recorded = try Memlab.text("Tests/CLITests/Golden/run-\(id).txt")
    try expectEqual(withoutHeap(run.stdout), withoutHeap(recorded))
  }

  private func expectEqual(_ actual: String, _ expected: String) throws {
    let difference = LineDiff.text(from: expected.newlineSeparated, to: actual.newlineSeparated)
    #expect(difference == "")
  }

  /// A report without what was read from the heap, and without the remark that it was not.
  private func withoutHeap(_ report: String) -> String {
    var paragraphs = report.split(separator: "\n\n", omittingEmptySubsequences: false).map(
      String.init)
    let heading = paragraphs.removeFirst().newlineSeparated.prefix(3).joined(separator: "\n")
    let kept = paragraphs.filter { !$0.hasPrefix("    why ") }
    return ([heading] + kept).joined(separator: "\n\n")
  }
}
