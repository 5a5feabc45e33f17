import Foundation
import LeakCheck
import Synchronization
import Testing

/// What ends later than the limit, because the machine has other things to do.
@Suite("Busy", .enabled(if: Fixture.isOn), .serialized) struct BusyFixtures {
  @Test func yieldsToOthers() async {
    await expectNoLeaks(within: .seconds(1)) {
      let clock = watch(Clock())
      Task(executorPreference: BusyExecutor()) {
        await Task.yield()
        clock.time = 1
      }
    }
  }

  // All of the process: what is waited for is not later than the wait.
  @Test func standsStillMeanwhile() async throws {
    try await expectNoLeaks(within: .milliseconds(600)) {
      let clock = watch(Clock())
      Thread.detachNewThread {
        for _ in 0..<4 { usleep(50_000) }
        clock.time = 1
      }
      try standStill(seconds: 1)
    }
  }

  private func standStill(seconds: Int) throws {
    let alarm = Process()
    alarm.executableURL = URL(fileURLWithPath: "/bin/sh")
    alarm.arguments = ["-c", "sleep \(seconds); kill -CONT \(getpid())"]
    try alarm.run()
    DispatchQueue.global().async { kill(getpid(), SIGSTOP) }
  }
}

/// Tests that leave a ring or a task, while a thread runs that could know it.
@Suite("Spinning", .enabled(if: Fixture.isOn), .serialized) struct SpinningFixtures {
  /// How many tests leave a task, and how many a ring while a thread comes and goes.
  static let (leavingTasks, comingAndGoing) = Fixture.isThorough ? (6, 8) : (3, 3)

  // More looks than a ring gets when every thread waits.
  @Test func spinsForAWhile() {
    leaveRing()
    let looks = HeapReadTurn.count + 7
    Thread.detachNewThread { while HeapReadTurn.count < looks {} }
  }

  // A look asks twice what threads know: of the rings, and of all that is left. While it waits, this
  // one knows nothing.
  @Test(arguments: 1...comingAndGoing) func comesAndGoes(number: Int) {
    leaveRing()
    let last = HeapReadTurn.count + 4
    Thread.detachNewThread { comeAndGo(while: HeapReadTurn.count < last) }
  }

  // Whenever the heap is looked at, one of the threads is likely to run.
  @Test(arguments: 1...leavingTasks) func leavesTask(number: Int) async {
    let mayEnd = Flag()
    for _ in 0..<5 { Thread.detachNewThread { comeAndGo(while: !mayEnd.isSet) } }
    let before = HeapReadTurn.count
    await expectNoLeaks { Task(name: "parked") { await Request().load() } }
    print("looks: \(HeapReadTurn.count - before)")
    mayEnd.set()
  }

  @Test func spinsAllTheTime() async {
    let mayEnd = Flag()
    let check = LeakChecker(tasks: .all, findingRings: true, within: .milliseconds(300))
    let report: @Sendable (LeakReport) -> Void = { Issue.record("\($0.text)") }
    await check.run(at: #_sourceLocation, report: report) {
      leaveRing()
      Thread.detachNewThread { while !mayEnd.isSet {} }
    }
    mayEnd.set()
  }
}

/// Runs, and waits as an event loop does, again and again.
private func comeAndGo(while goesOn: @autoclosure () -> Bool) {
  var nothing = pollfd(fd: -1, events: 0, revents: 0)
  while goesOn() {
    let start = clock()
    while clock() - start < 300 {}
    poll(&nothing, 1, 1)
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

/// Runs its first job at once, the next when the check has looked after its limit, and each other one a
/// look later. The pauses before the ninth look are the limit in any case.
private final class BusyExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "busy")
  private let looks = Atomic(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let latest = looks.load(ordering: .relaxed)
    looks.store(HeapReadTurn.count + (latest == 0 ? 9 : 1), ordering: .relaxed)
    run(UnownedJob(job), after: latest, or: .now + .seconds(4))
  }

  // Where looks take long, the check has waited for more than twice its limit by then.
  private func run(_ job: UnownedJob, after looks: Int, or end: ContinuousClock.Instant) {
    guard HeapReadTurn.count < looks, .now < end else {
      return queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(20)) { self.run(job, after: looks, or: end) }
  }
}

/// A leak in a process whose threads without work have an address of the program's code in their
/// memory, as a call that has returned may leave it behind.
@Suite("Idle threads", .enabled(if: Fixture.isOn)) struct IdleFixtures {
  @Test func leaksBesideThem() async {
    await leaveCodeOnTwoThreads()
    await expectNoLeaks(within: .seconds(20)) {
      let album = watch(Album())
      album.next = album
    }
  }

  // Two, for one of them may take the look. A thread's own variables lie above its stack.
  private func leaveCodeOnTwoThreads() async {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    let isHere = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    await withTaskGroup { group in
      for place in 0...1 {
        group.addTask { [key] in
          let code: @convention(c) () -> Void = {}
          pthread_setspecific(key, unsafeBitCast(code, to: UnsafeRawPointer.self))
          isHere[place].signal()
          wait(for: isHere[1 - place])
        }
      }
    }
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

// Of a size that nothing else has: the address of something that is gone may stand anywhere.
private final class Album {
  private let pages = InlineArray<40, Int>(repeating: 0)
  var next: Album?
}

/// Waits for what does not happen, and for what happens at any moment, many times.
@Suite("Signal", .enabled(if: Fixture.isOn)) struct SignalFixtures {
  // The limit is over before the wait has begun, or just as it begins.
  @Test(arguments: [Duration.zero, .microseconds(1), .microseconds(20)])
  func never(limit: Duration) async {
    let signal = Signal()
    for _ in 0..<5_000 { await signal.wait(atMost: limit) }
    #expect(!signal.isRaised)
  }

  @Test func anyMoment() async {
    for _ in 0..<2_000 {
      let signal = Signal()
      Task.detached { signal.raise() }
      await signal.wait(atMost: .seconds(600))
      #expect(signal.isRaised)
    }
  }
}

/// What a check costs beyond its body, on average, in the processor time of all threads: other
/// processes do not add to it.
@Suite("Cost", .enabled(if: Fixture.isOn), .serialized) struct CostFixtures {
  @Test func cleanCheck() async {
    let rounds = 2000
    let bare = await processorTime(rounds) { await Self.body { $0 } }
    let checked = await processorTime(rounds) {
      await expectNoLeaks { await Self.body { watch($0) } }
    }
    print("cost:", (checked - bare) / rounds)
    #expect(checked - bare < .milliseconds(1) * rounds)
  }

  // Each object goes in the long pause after some looks at the heap. A check that notices it at once
  // takes no further look. The middle one of five: where the machine is busy, an object may go late,
  // and meet the next look. And the soonest of five ends long before the pause, which is 160
  // milliseconds then.
  @Test func endsSoonAfterItsObjects() async {
    var furtherLooks: [Int] = []
    var delays: [Duration] = []
    for _ in 0..<5 {
      let looksAtEnd = Mutex(0)
      let end = Mutex(ContinuousClock.now)
      await expectNoLeaks {
        let clock = watch(Clock())
        let looks = HeapReadTurn.count
        Thread.detachNewThread {
          while HeapReadTurn.count < looks + 4 { usleep(1000) }
          usleep(20_000)
          looksAtEnd.withLock { $0 = HeapReadTurn.count }
          end.withLock { $0 = ContinuousClock.now }
          clock.time = 1
        }
      }
      delays.append(ContinuousClock.now - end.withLock(\.self))
      furtherLooks.append(HeapReadTurn.count - looksAtEnd.withLock(\.self))
    }
    #expect(delays.min() ?? .zero < .milliseconds(80), "\(delays)")
    #expect(furtherLooks.sorted()[furtherLooks.count / 2] == 0, "\(furtherLooks)")
  }

  // A check that reads the heap keeps the others waiting.
  @Test func readsNoHeapForWhatEndsAtOnce() async {
    let looks = HeapReadTurn.count
    await expectClean(rounds: 40) {
      let clock = watch(Clock())
      onQueue(after: 4) { clock.time = 1 }
    }
    #expect(HeapReadTurn.count - looks < 20)
  }

  @Test func looksAtNoNumbers() async {
    let time = await processorTime(1) {
      await expectNoLeaks { [UInt8](repeating: 0, count: 20_000_000) }
    }
    #expect(time < .seconds(1))
  }

  private static func body(_ handOver: (Forwarder) -> Forwarder) async {
    let forwarder = handOver(Forwarder())
    forwarder.start()
    forwarder.stop()
    await forwarder.end()
  }

  private func processorTime(_ rounds: Int, _ body: () async -> Void) async -> Duration {
    let start = clock()
    for _ in 0..<rounds { await body() }
    return .seconds(Double(clock() - start) / Double(CLOCKS_PER_SEC))
  }
}
