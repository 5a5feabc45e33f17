@preconcurrency import Dispatch
import Foundation
import LeakCheck
import Testing

/// What a global variable keeps while nothing runs that could empty it: every one of them leaks.
@Suite("Kept", .enabled(if: Fixture.isOn), .serialized) struct KeptFixtures {
  @Test func byGlobal() async {
    await expectNoLeaks { Registry.shared.entries.append(watch(Clock())) }
    Registry.shared.entries = []
  }

  @Test func byClosureOfGlobal() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      Handlers.all.append { clock.time += 1 }
    }
    Handlers.all = []
  }

  // A timer that fires later than the limit would not count anyway.
  @Test func besideACancelledItem() async {
    await expectNoLeaks(within: .seconds(3), patience: .seconds(2)) {
      Registry.shared.entries.append(watch(Clock()))
      let item = DispatchWorkItem {}
      DispatchQueue.global().asyncAfter(deadline: .now() + 2.5, execute: item)
      item.cancel()
    }
    Registry.shared.entries = []
  }

  @Test func expectedToBeDeallocated() async {
    await expectDeallocated {
      Registry.shared.entries = [Clock()]
      return Registry.shared.entries[0]
    }
    Registry.shared.entries = []
  }

  @Test func waitsAsLongAsItIsTold() async {
    await expectNoLeaks(patience: .milliseconds(700)) {
      Registry.shared.entries.append(watch(Clock()))
    }
    Registry.shared.entries = []
  }

  /// How many tests keep one more, and none of them releases it.
  static let crowdSize = Fixture.isThorough ? 50 : 8

  @Test(arguments: 0..<crowdSize) func crowd(number: Int) async {
    await expectNoLeaks { Registry.shared.entries.append(watch(Clock())) }
  }
}

/// What a global variable keeps while a task spins that another test waits for.
@Suite("Beside", .enabled(if: Fixture.isOn)) struct BesideFixtures {
  @Test(arguments: [true, false]) func aTask(spins: Bool) async {
    let end = ContinuousClock.now + .seconds(3)
    if spins { return await Task.detached { while ContinuousClock.now < end {} }.value }
    await expectNoLeaks { Registry.shared.entries.append(watch(Clock())) }
  }
}

/// Keeps closures forever.
enum Handlers { nonisolated(unsafe) static var all: [() -> Void] = [] }

/// What a global variable keeps until something empties it that the check has begun, much later than
/// the patience of a check where nothing runs: none of them leaks. Nothing that is to run captures
/// anything, so that no reference tells what it will do.
@Suite("Emptied", .enabled(if: Fixture.isOn), .serialized) struct EmptiedFixtures {
  static let delay = 900

  @Test func byCallOfAQueue() async {
    await expectEmptied { onQueue(after: Self.delay) { empty() } }
  }

  @Test func byCallBehindAnother() async {
    await expectEmptied {
      let queue = DispatchQueue(label: "one after the other")
      queue.async { usleep(UInt32(Self.delay) * 1000) }
      queue.async { empty() }
    }
  }

  @Test func byTimerOfAQueue() async {
    let timer = DispatchSource.makeTimerSource()
    await expectEmptied {
      timer.setEventHandler { empty() }
      timer.schedule(deadline: .now() + .milliseconds(Self.delay))
      timer.activate()
    }
    timer.cancel()
  }

  @Test func byThread() async {
    await expectEmptied {
      Thread.detachNewThread {
        usleep(UInt32(Self.delay) * 1000)
        empty()
      }
    }
  }

  @Test func byThreadThatComputes() async {
    await expectEmptied {
      Thread.detachNewThread { compute() }
    }
  }

  // What works for the same test, outside of the check.
  @Test func byTaskOfTheTest() async {
    async let emptied: Void = Task.detached { compute() }.value
    await expectEmptied {}
    await emptied
  }

  @Test func byTimerOfARunLoop() async {
    await expectEmptied {
      Thread.detachNewThread {
        let time = Date(timeIntervalSinceNow: Double(Self.delay) / 1000)
        let timer = Timer(fire: time, interval: 0, repeats: false) { _ in empty() }
        RunLoop.current.add(timer, forMode: .default)
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 5))
      }
    }
  }

  @Test func byDetachedTask() async {
    await expectEmptied {
      Task.detached {
        await slept(for: Self.delay)
        empty()
      }
    }
  }

  // What was told to an event loop that is older than the check.
  @Test func byTimerOfAnEventLoop() async {
    let (loop, timer) = (Epoll(), Epoll.makeTimer())
    loop.add(timer, 7)
    Thread.detachNewThread { if loop.wait() == 7 { empty() } }
    await expectEmptied { Epoll.set(timer, toFireIn: .milliseconds(Self.delay)) }
    close(timer)
  }

  // A program that answers later, to an event loop that is older than the check.
  @Test func byConnection() async throws {
    let (loop, pipe) = (Epoll(), Pipe())
    loop.add(pipe.fileHandleForReading.fileDescriptor, 7)
    Thread.detachNewThread { if loop.wait() == 7 { empty() } }
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/bin/sh")
    program.arguments = ["-c", "sleep \(Double(Self.delay) / 1000); echo"]
    program.standardOutput = pipe
    try program.run()
    try pipe.fileHandleForWriting.close()
    await expectEmptied {}
    program.waitUntilExit()
  }

  private func expectEmptied(_ begin: () throws -> Void) async rethrows {
    try await expectNoLeaks {
      Registry.shared.entries = [watch(Clock())]
      try begin()
    }
  }
}

private func compute() {
  let end = ContinuousClock.now + .milliseconds(EmptiedFixtures.delay)
  while ContinuousClock.now < end {}
  empty()
}

private func empty() { Registry.shared.entries = [] }
