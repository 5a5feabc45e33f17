import Foundation
import LeakCheck
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import TestSupport
import Testing

/// What is left of memlab and of LeakCheck where the heap is not read.
@Suite("The portable configuration") struct PortableTests {
  private final class Parcel: Sendable {}

  private static let reason =
    "this is the portable configuration, and the heap is read on Linux only; memlab's "
    + "Documentation/Install.md has a container"

  @Test("has no snapshot, and says why") func snapshot() {
    #expect(throws: HeapError.unrecordable(Self.reason)) { try HeapSnapshot.take() }
    #expect(HeapRecording.obstacle == Self.reason)
  }

  @Test("is what memlab doctor names") func doctor() throws {
    let run = try MemlabBinary.run(["doctor"]).exits(0).says(
      "  configuration  portable: the ledger counts", Self.reason,
      "✓ executors      the pool's: this is the portable configuration")
    #expect(run.stdout.hasSuffix("\nwhat memlab counts can be trusted here\n"))
  }

  @Test("counts what every ending declares, and notes that nobody says who holds what")
  func check() throws {
    let memlab = Program(MemlabBinary.folder.appending(path: "memlab"))
    let run = try memlab.run(["check"], environment: MemlabBinary.neutral).exits(0)
    #expect(run.stderr.hasPrefix("Note: the heap was not read: "), "\(run.stderr)")
  }

  @Test(
    "shows what was recorded on Linux where something is left",
    arguments: [["retain-cycle"], ["walk", "retain-cycle", "--all"]])
  func recorded(words: [String]) throws {
    let mark = "    recorded on Linux, for the heap is not read here:\n    why Planet is alive"
    let left = try MemlabBinary.run(words + ["--ending", "drop"]).stdout
    #expect(left.contains(mark) && left.contains("~~~~~~  the edge to cut"), "\(left)")
    #expect(try !MemlabBinary.run(words + ["--ending", "cut"]).stdout.contains("recorded"))
  }

  @Test("ends a thread's closure, with what it holds, before join returns") func thread() throws {
    for _ in 0..<200 {
      var parcel: Parcel? = Parcel()
      weak var seen = parcel
      let thread = SystemThread { [parcel] in withExtendedLifetime(parcel) {} }
      parcel = nil
      thread?.join()
      #expect(seen == nil)
    }
  }

  @Test("imports what a Mac has, and what it has not in one room only") func imports() throws {
    // The reader and its scan are for Linux: this configuration leaves them out and so does not check them.
    let others = ["Abandonment", "Platform", "HeapReader", "HeapScan"].map { "Sources/Heap/\($0)/" }
    let files = Repository.files(in: "Sources", endingIn: ".swift").filter { file in
      !others.contains(where: file.hasPrefix)
    }
    #expect(files.count > 100)
    for file in files {
      let source = try String(contentsOf: Repository.url(file), encoding: .utf8)
      let others = source.newlineSeparated.filter {
        $0.contains(/^(\w+ )*import (Glibc|FoundationEssentials|FoundationXML)$/)
      }
      #expect(others == [], "\(file): import MemlabPlatform instead")
    }
  }

  @Test("fails a check that asks for the heap") func requiredHeap() throws {
    try MemlabBinary.run(["retain-cycle", "--require-heap"]).exits(70).complains(Self.reason)
  }

  @Test("lets a clean test pass") func clean() async { await expectNoLeaks { _ = watch(Parcel()) } }

  @Test("fails a test that leaks, without the reason") func leaking() async {
    let kept = Kept()
    await withKnownIssue {
      await expectNoLeaks(within: .milliseconds(100)) { kept.parcel = watch(Parcel()) }
    } matching: { issue in
      "\(issue.comments)".contains("Parcel is still alive")
    }
    withExtendedLifetime(kept) {}
  }

  private final class Kept: @unchecked Sendable { var parcel: Parcel? }
}
