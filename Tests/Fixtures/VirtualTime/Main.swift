import MemlabKit
import MemlabWitness

/// Runs one of everything that Swift's runtime schedules, on memlab's executors, and prints what
/// happened in which order. The executors of a test process cannot be replaced; those of this one
/// can.
@main enum Main {
  static func main() throws {
    let scheduler = try VirtualScheduler.install()
    let ledger = Ledger()
    for (name, act) in acts {
      print(name)
      Ledger.$current.withValue(ledger, operation: act)
      try scheduler.settle(ledger, until: nil)
    }
    print("unfinished tasks: \(ledger.totals.liveTasks)")
    try sleepForEver(scheduler)
    try poll(scheduler)
    let start = RealTime.now()
    ledger.waitForChange(after: ledger.changes, milliseconds: 30)
    print("a wait of 30 ms takes as long: \(RealTime.now() - start >= .milliseconds(30))")
    refuseUnknownClock(scheduler)
    explainEndlessness(scheduler, ledger)
  }

  private static let acts: [(String, @Sendable () -> Void)] = [
    ("tasks run in the order of their creation", inOrder),
    ("sleepers wake by the clock, whatever the order of their creation", sleepers),
    ("sleepers of one moment wake in the order of their arrival", together),
    ("a clock measures virtual time exactly", measure),
    ("yield goes behind what is ready", yielding),
    ("the main actor, actors, groups and detached tasks are ours too", others),
    ("shorter ones end, also when the clock can count no further", longSleeps),
  ]

  @Sendable private static func inOrder() {
    for index in 1...3 { Task(probe: "task") { print("  \(index)") } }
  }

  @Sendable private static func sleepers() {
    for seconds in [3, 1, 2] {
      Task(probe: "sleeper") {
        try await Task.sleep(for: .seconds(seconds))
        print("  \(seconds) s")
      }
    }
  }

  @Sendable private static func together() {
    for index in 1...3 {
      Task(probe: "sleeper") {
        if index == 2 {
          try await Task.sleep(nanoseconds: 1_000_000)
        } else {
          try await Task.sleep(for: .milliseconds(1))
        }
        print("  \(index)")
      }
    }
  }

  @Sendable private static func measure() {
    Task(probe: "clock") {
      let clock = ContinuousClock()
      let elapsed = try await clock.measure {
        try await Task.sleep(for: .seconds(9))
        try await Task.sleep(until: .now + .milliseconds(5), clock: .suspending)
      }
      print("  \(elapsed)")
    }
  }

  @Sendable private static func yielding() {
    for index in 1...2 {
      Task(probe: "yielding") {
        print("  \(index) before")
        await Task.yield()
        print("  \(index) after")
      }
    }
  }

  private actor Counter {
    var count = 0
    func increment() { count += 1 }
  }

  @Sendable private static func others() {
    Task(probe: "others") {
      await MainActor.run { print("  main actor") }
      let counter = Counter()
      await withTaskGroup { group in for _ in 0..<5 { group.addTask { await counter.increment() } }
      }
      print("  actor counted \(await counter.count)")
      await Task.detached { print("  detached") }.value
    }
  }

  @Sendable private static func longSleeps() {
    Task(probe: "sleeper") {
      for nap in 1...4 {
        try await Task.sleep(for: .seconds(99 * 365 * 86_400))
        print("  nap \(nap)")
      }
    }
  }

  /// Runs a task that sleeps for 317 years under both witnesses, and cancels it, or does not.
  private static func sleepForEver(_ scheduler: VirtualScheduler) throws {
    print("a sleep of a century or more never ends, but can be cancelled")
    let witness = try? RealHeap()
    for cancels in [false, true] {
      let ending = Ending("end", "it ends", expects: .nothing, explanation: "-") { lab in
        let task = Task(probe: "sleeper") { try? await Task.sleep(for: .seconds(10_000_000_000)) }
        try lab.step("the task falls asleep") {}
        try lab.step("it is cancelled, or not") { if cancels { task.cancel() } }
      }
      let report = try Trial(of: ending, on: scheduler, witness: witness).run()
      print("  \(cancels ? "cancelled" : "asleep"): \(report.liveTasks) live")
    }
  }

  /// Runs loops that sleep, beside a task that sleeps for longer, under both witnesses.
  private static func poll(_ scheduler: VirtualScheduler) throws {
    print("a loop that sleeps is left asleep when nobody else sleeps, and can be cancelled")
    let witness = try? RealHeap()
    for cancels in [false, true] {
      let ending = Ending("end", "it ends", expects: .nothing, explanation: "-") { lab in
        let ledger = lab.ledger
        nonisolated(unsafe) var tasks: [Task<Void, Never>] = []
        try lab.step("two tasks poll, and one sleeps for an hour") {
          for milliseconds in [1_000, 2_500] {
            let poller = Task(probe: "poller") {
              while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(milliseconds))
                if !Task.isCancelled { ledger.note("awake") }
              }
            }
            tasks.append(poller)
          }
          Task(probe: "sleeper") { try? await Task.sleep(for: .seconds(3_600)) }
        }
        try lab.step("they are cancelled, or not") {
          if cancels { for task in tasks { task.cancel() } }
        }
        tasks = []
      }
      let report = try Trial(of: ending, on: scheduler, witness: witness).run()
      print("  \(cancels ? "cancelled" : "asleep"): \(report.liveTasks) live")
      for step in report.steps { for change in step.changes { print("    \(change)") } }
    }
    let polling = Ending("end", "it ends", expects: .nothing, explanation: "-") { lab in
      try lab.step("one polls") {
        Task(probe: "poller") { while true { try? await Task.sleep(for: .seconds(1)) } }
      }
    }
    if let witness {
      _ = try GrowthRun(of: polling, on: scheduler, witness: witness).run(instances: 1, rounds: 1)
    }
    print(
      "  forgotten: \(try Trial(of: quiet, on: scheduler, witness: witness).run().steps[0].changes)"
    )
  }

  // Pollers of an earlier trial would be named in it.
  private static let quiet = Ending("end", "it ends", expects: .nothing, explanation: "-") { lab in
    try lab.step("nothing is done") {}
  }

  /// Runs an actor whose jobs are delayed in durations that are not `Duration`; then measures again.
  private static func refuseUnknownClock(_ scheduler: VirtualScheduler) {
    print("a delay on a clock that does not count seconds is refused, and nothing after it is")
    #if compiler(>=6.3) && !canImport(Darwin)
      for isDeadline in [false, true] {
        runTrial(scheduler) { await Ticker(isDeadline: isDeadline).tick() }
      }
      runTrial(scheduler) { try? await Task.sleep(for: .seconds(1)) }
    #endif
  }

  private static func runTrial(
    _ scheduler: VirtualScheduler, _ act: @escaping @Sendable () async -> Void
  ) {
    let ending = Ending("end", "it ends", expects: .nothing, explanation: "-") { lab in
      try lab.step("a task waits") { Task(probe: "waiter") { await act() } }
    }
    do {
      print("  \(try Trial(of: ending, on: scheduler).run().liveTasks) live")
    } catch {
      print("  \(error)")
    }
  }

  private static func explainEndlessness(_ scheduler: VirtualScheduler, _ ledger: Ledger) {
    Ledger.$current.withValue(ledger) {
      _ = Task(probe: "endless") { while true { await Task.yield() } }
    }
    do {
      try scheduler.settle(ledger, until: nil)
    } catch {
      print("endless: \(error)")
    }
  }
}
