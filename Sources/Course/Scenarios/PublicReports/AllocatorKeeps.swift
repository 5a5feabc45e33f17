import MemlabKit
import MemlabPlatform

extension Scenario {
  /// `allocator-keeps`: memory that the allocator keeps.
  static let allocatorKeeps = Scenario(
    id: "allocator-keeps", title: "memory that the allocator keeps", document: .memoryStays,
    place: "its question, rebuilt", lesson: "12-it-grows-and-nothing-leaks",
    question: "A report of 40 MB is dropped, and nothing of it is left. top shows 40 MB as before. "
      + "Is it a leak?",
    hint: "Who gives memory back to the kernel, and in which pieces?",
    beliefs: [
      Belief(.cycle, because: "Memory that does not fall is called a leak, and a leak a cycle."),
      Belief(.global, because: "People look for the cache that keeps it."),
    ],
    next: "weak-test",
    endings: [
      Ending(
        "kept", "a thousand pages, and something small that was made after them",
        expects: .report(residentMB: 40),
        explanation: "Everything is deinitialised, and every block was freed. But the allocator "
          + "gives memory back from the end of its heap, and there is a block in use. The 40 MB are "
          + "used again for what comes next.",
        claims: [
          Claim(
            "memory does not fall after the work, so it leaks",
            original: "for the longest time I did think that it leaked",
            .fails(because: "no object is left: the allocator keeps what was freed")
          ) { $0.object("Report").alive > 0 }
        ],
        run: { try play($0, pages: 1_000) }),
      Ending(
        "trimmed", "the same, and the allocator is asked to give back what is free",
        expects: .report(residentMB: 0),
        explanation: "malloc_trim(0) gives back free pages in the middle, too. That the figure "
          + "falls shows that nothing was in use.",
        run: { try play($0, pages: 1_000, trims: true) }
      )
      .asking("malloc_trim(0) gives free memory back. Does the figure fall, if it was a leak?"),
      Ending(
        "large", "one page of 40 MB",
        expects: .report(residentMB: 0),
        explanation: "A block of this size has a mapping of its own, which is given back at once. "
          + "The same bytes, and another figure.",
        run: { try play($0, pages: 1) }
      )
      .asking("The report has one page of 40 MB. What does top show when it is dropped?"),
    ])

  private static func play(_ lab: Lab, pages: Int, trims: Bool = false) throws {
    Allocator.giveBack()  // What trials before this one have left free would be used first.
    let before = Allocator.residentMegabytes
    @Variable("report") var report: AllocatorKeeps.Report?
    try lab.step("a report of 40 MB is made, and a logo after it") {
      report = AllocatorKeeps.Report(pages: pages, bytes: 40_000_000 / pages)
      AppWide.keep(AllocatorKeeps.Page(bytes: 40_000), for: lab.ledger)
    }
    try lab.release("the report is dropped") { report = nil }
    if trims { try lab.step("the allocator gives back what is free") { Allocator.giveBack() } }
    guard Allocator.isMeasurable else { return }
    let after = Allocator.residentMegabytes - before
    lab.ledger.setMetric("residentMegabytes", after.roundedToTens)
  }
}

extension Declaration {
  /// The counts of one report, which is deinitialised.
  ///
  /// - Parameter residentMB: how many more megabytes than before the kernel shows in the end.
  fileprivate static func report(residentMB: Int) -> Declaration {
    .one(
      .clean, deinitialized: ["Report": 1],
      metrics: Allocator.isMeasurable ? ["residentMegabytes": residentMB] : [:])
  }
}

/// A report with much memory, and nothing wrong.
enum AllocatorKeeps {
  // snippet:code
  final class Page {
    private let bytes: UnsafeMutableRawPointer

    init(bytes count: Int) {
      bytes = .allocate(byteCount: count, alignment: 16)
      memset(bytes, 1, count)
    }

    deinit { bytes.deallocate() }
  }

  final class Report {
    private var pages: [Page] = []
    private let probe = Probe(Report.self)

    init(pages count: Int, bytes: Int) {
      for _ in 1...count { pages.append(Page(bytes: bytes)) }
    }
  }
  // snippet:end
}
