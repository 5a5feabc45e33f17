import MemlabKit

/// A sentence that developers or their assistants are taught, on an ending of another document's
/// scenario: it was measured before anybody said so.
struct TaughtClaim: Sendable {
  /// The scenario's id.
  let scenario: String
  /// The ending's name.
  let ending: String
  /// The sentence.
  let claim: Claim

  private init(
    _ scenario: String, _ ending: String, _ text: String, original: String? = nil,
    from source: Document, _ outcome: Claim.Outcome = .holds,
    when predicate: @escaping @Sendable (Measurement) -> Bool
  ) {
    (self.scenario, self.ending) = (scenario, ending)
    claim = Claim(text, original: original, from: source, outcome, when: predicate)
  }

  /// The scenario with the sentences on its endings.
  static func added(to scenario: Scenario) -> Scenario {
    let own = all.filter { $0.scenario == scenario.id }
    return scenario.claiming(Dictionary(grouping: own, by: \.ending).mapValues { $0.map(\.claim) })
  }

  /// Every such sentence.
  static let all = memory + streams + threads

  private static let memory: [TaughtClaim] = [
    TaughtClaim(
      "polling-weak-self", "while-let", "loader = nil // ✅ Loader deallocated, task stops",
      from: .skillMemory, .fails(because: "both happen when the sleep is over, and not before")
    ) { $0.metric("aliveAsleep") == 0 },
    TaughtClaim(
      "polling-weak-self", "strong", "Task holds `self`, `self` holds task → neither released.",
      from: .skillMemory
    ) { $0.object("Loader").alive == 1 && $0.task("poll").live == 1 },
    TaughtClaim(
      "weak-self-loop", "drop", "Task exits when `self` deallocates.", from: .skillMemory,
      .fails(because: "it exits at the next value, and here none comes")
    ) { $0.task("loop").live == 0 },
    TaughtClaim(
      "guard-before-loop", "drop", "If deinit never prints → likely retain cycle.",
      from: .skillMemory,
      .fails(because: "there is no cycle: the chain begins at a task that waits")
    ) { ($0.cycles ?? 0) > 0 },
    TaughtClaim(
      "cancel-on-deinit", "strong",
      "`for await` over an infinite sequence with a strong `self` capture keeps the object "
        + "alive forever", from: .skillMemory
    ) { $0.object("List").alive == 1 && $0.task("observe").live == 1 },
    TaughtClaim(
      "cancel-on-deinit", "strong", "task?.cancel() // Never called if retain cycle exists",
      from: .skillMemory
    ) { $0.task("observe").live == 1 },
    TaughtClaim("cancel-on-deinit", "disappear", "Must call before release", from: .skillMemory) {
      $0.object("List").alive == 0 && $0.task("observe").live == 0
    },
    TaughtClaim(
      "weak-self-run-forever", "drop", "Default to weak self for long-running tasks",
      from: .skillMemory,
      .fails(because: "the capture is weak, and the call through it holds self all the same")
    ) { $0.object("Screen").alive == 0 },
    TaughtClaim(
      "task-in-owner", "late", "await self.work() // Retain cycle", from: .skillMemory,
      .fails(because: "the cycle ends with the work, and the loader is deinitialised then")
    ) { $0.object("Loader").alive == 1 },
    TaughtClaim(
      "task-in-owner", "late", "Object stays alive until task completes.", from: .skillMemory
    ) { $0.metric("aliveWhileLoading") == 1 && $0.object("Loader").alive == 0 },
  ]

  private static let streams: [TaughtClaim] = [
    TaughtClaim(
      "shared-stream-split", "finish", "values split between consumers", from: .skillStreams
    ) { $0.metric("union") == 20 && $0.metric("receivedByBoth") == 0 },
    TaughtClaim(
      "weak-self-and-cancel", "cancel", "Streams cancel when: Enclosing task cancels",
      from: .skillStreams
    ) { $0.task("watch").live == 0 },
  ]

  private static let threads: [TaughtClaim] = [
    TaughtClaim(
      "cycle-that-ends", "done", "you must pass [weak self] in",
      from: .thread("stackoverflow.com/questions/71728943", "Stack Overflow 71728943"),
      .fails(because: "a callback that is called once and released holds for that long")
    ) { $0.totals.aliveObjects > 0 },
    TaughtClaim(
      "guard-before-loop", "drop",
      "weak self is unnecessary unless the resulting Task object is strongly retained by self",
      original: "unless the resulting Task object is strongly retained by self",
      from: .thread(
        "openillumi.com/en/en-task-weak-self-cancellation-best-practice", "openillumi.com"),
      .fails(because: "the screen does not store its task, and the task holds it")
    ) { $0.object("Screen").alive == 0 },
    TaughtClaim(
      "guard-before-loop", "drop", "all closures use `[weak self]`",
      from: .issue(279, of: "bocan/bocan-music"),
      .fails(because: "this one does, and its guard holds self as long as the loop runs")
    ) { $0.object("Screen").alive == 0 },
    TaughtClaim(
      "weak-self-run-forever", "drop",
      "the object is released without having to wait for the task to finish",
      original: "without having to wait for the task to finish",
      from: .thread("tanaschita.com/20221003-memory-management-for-async-await", "tanaschita.com"),
      .fails(because: "a call through self? holds self until it returns")
    ) { $0.object("Screen").alive == 0 },
    TaughtClaim(
      "cancel-on-deinit", "strong", "we listen to events without capturing anything",
      from: .thread("sobabear.com/blog/cV0QczT27l1t7gNn75Dr", "sobabear.com"),
      .fails(because: "Task { } captures self without a word where its code calls a method")
    ) { $0.object("List").alive == 0 },
    TaughtClaim(
      "cancel-on-deinit", "strong", "the only reference to `self` is what occurs in the body",
      from: .taskInit, .fails(because: "that is no comfort where the body waits forever")
    ) { $0.object("List").alive == 0 },
    TaughtClaim(
      "task-in-owner", "done", "the only reference to `self` is what occurs in the body",
      from: .taskInit
    ) { $0.object("Loader").alive == 0 },
    TaughtClaim(
      "abandoned-continuation", "cancel",
      "what we leaked is actually all tasks which wait on this continuation",
      from: .issue(75613, of: "swiftlang/swift")
    ) { $0.task("load").live == 1 },
    TaughtClaim(
      "abandoned-continuation", "cancel", "does not appear to affect functionality",
      from: .issue(310, of: "moreSwift/swift-cross-ui"),
      .fails(because: "the task that waits for it waits forever")
    ) { $0.totals.liveTasks == 0 },
    TaughtClaim(
      "abandoned-continuation", "cancel",
      "a continuation that is never resumed is a way to wait forever",
      from: .pull(1093, of: "swiftlang/sourcekit-lsp")
    ) { $0.task("load").live == 1 },
    TaughtClaim(
      "inner-weak-outer-strong", "inner",
      "memory leak was in debug mode, with Release its works perfect",
      from: .issue(1792, of: "vapor/vapor"),
      .fails(because: "ownership is the same: check finds this leak in debug and in release")
    ) { $0.totals.aliveObjects == 0 },
    TaughtClaim(
      "flatmap-own-method", "drop", "a method as a closure captures nothing",
      original: "Implicit self trap", from: .analyzeHeapMemory,
      .fails(because: "the method is called on self, so the closure holds self")
    ) { $0.totals.aliveObjects == 0 },
  ]
}
