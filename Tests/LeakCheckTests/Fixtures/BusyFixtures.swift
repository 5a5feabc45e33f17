import Foundation
import Glibc
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
  // More looks than a ring gets when every thread waits.
  @Test func spinsForAWhile() {
    leaveRing()
    let looks = HeapReadTurn.count + 7
    Thread.detachNewThread { while HeapReadTurn.count < looks {} }
  }

  // A look asks twice what threads know: of the rings, and of all that is left. While it waits, this
  // one knows nothing.
  @Test(arguments: 1...8) func comesAndGoes(number: Int) {
    leaveRing()
    let last = HeapReadTurn.count + 4
    Thread.detachNewThread { comeAndGo(while: HeapReadTurn.count < last) }
  }

  // Whenever the heap is looked at, one of the threads is likely to run.
  @Test(arguments: 1...6) func leavesTask(number: Int) async {
    let mayEnd = Flag()
    for _ in 0..<5 { Thread.detachNewThread { comeAndGo(while: !mayEnd.isSet) } }
    let before = HeapReadTurn.count
    await expectNoLeaks { Task(name: "parked") { await Request().load() } }
    print("looks: \(HeapReadTurn.count - before)")
    mayEnd.set()
  }

  @Test func spinsAllTheTime() async {
    let mayEnd = Flag()
    let check = LeakChecker(
      tasks: .all, findingRings: true, patience: Patience(limit: .milliseconds(300)))
    let report: @Sendable (LeakReport) -> Void = { Issue.record("\($0.text)") }
    await check.run(at: #_sourceLocation, report: report) {
      leaveRing()
      Thread.detachNewThread { while !mayEnd.isSet {} }
    }
    mayEnd.set()
  }

  @_optimize(none) private func leaveRing() {
    let clock = Clock()
    clock.partner = clock
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

/// Tests that say nothing of leaks and leave a ring whose address stands somewhere.
@Suite("Pointed at", .enabled(if: Fixture.isOn), .serialized) struct PointedFixtures {
  // It owns nothing, as what an earlier call has left in memory.
  nonisolated(unsafe) static var pointer: UnsafeMutableRawPointer?
  // Turned round, so that nobody finds it.
  nonisolated(unsafe) static var hidden: UInt = 0

  @Test func ownedByNobody() {
    leaveRing { Self.pointer = Unmanaged.passUnretained($0).toOpaque() }
  }

  @Test func ownedInSecret() {
    leaveRing { Self.hidden = ~UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
  }

  @_optimize(none) private func leaveRing(_ note: (Clock) -> Void) {
    let clock = Clock()
    clock.partner = clock
    note(clock)
  }
}

/// Leaves twenty thousand rings behind, of which somebody owns two hundred in a way that nobody sees.
@Suite("Many rings", .enabled(if: Fixture.isOn)) struct ManyFixtures {
  nonisolated(unsafe) static var hidden: [UInt] = []

  @Test func many() {
    for number in 0..<20_000 { leaveRing(isOwned: number % 100 == 7) }
  }

  @_optimize(none) private func leaveRing(isOwned: Bool) {
    let clock = Clock()
    clock.partner = clock
    guard isOwned else { return }
    Self.hidden.append(~UInt(bitPattern: Unmanaged.passRetained(clock).toOpaque()))
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
    run(UnownedJob(job), after: latest)
  }

  private func run(_ job: UnownedJob, after looks: Int) {
    guard HeapReadTurn.count < looks else {
      return queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(20)) { self.run(job, after: looks) }
  }
}
