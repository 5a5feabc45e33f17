import LeakCheck
import Synchronization
import Testing

/// Patterns that people reported, and others like them: every one of them leaks.
@Suite("Leaking", .enabled(if: Fixture.isOn), .serialized) struct LeakingFixtures {
  @Test func strongSelf() async {
    await expectNoLeaks { watch(Forwarder()).start() }
  }

  @Test func weakSelfThenRunForEver() async {
    await expectNoLeaks {
      let runner = watch(Runner())
      Task { [weak runner] in await runner?.run() }
      while !runner.isWaiting { await Task.yield() }
    }
  }

  @Test func guardBeforeTheLoop() async {
    await expectNoLeaks {
      let forwarder = watch(Forwarder())
      forwarder.startWithGuard()
      while !forwarder.isRunning { await Task.yield() }
    }
  }

  @Test func assignToSelf() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      clock.subscription = Subscription { clock.time = $0 }
    }
  }

  @Test func abandonedContinuation() async {
    await expectNoLeaks {
      let request = watch(Request())
      let task = Task { await request.load() }
      task.cancel()
    }
  }

  @Test func innerWeakOuterStrong() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      clock.later = { clock.subscription = Subscription { [weak clock] in clock?.time = $0 } }
    }
  }

  @Test func heldByGlobal() async {
    await expectNoLeaks(within: .milliseconds(300)) {
      let clock = watch(Clock())
      Registry.shared.entries.append(clock)
    }
    Registry.shared.entries = []
  }

  @Test func waitsForGlobal() async {
    await expectNoLeaks(within: .milliseconds(300)) {
      let clock = watch(Clock())
      Task(name: "listener") { for await time in Registry.shared.stream { clock.time = time } }
    }
    Registry.shared.continuation.finish()
  }

  @Test func taskGroupOfChildren() async {
    await expectNoLeaks {
      Task(name: "parent") {
        await withTaskGroup { group in
          group.addTask(name: "child") { await Request().load() }
          await group.waitForAll()
        }
      }
    }
  }

  @Test func deepTask() async {
    await expectNoLeaks {
      Task { Task { await Task { Task(name: "deep") { await Request().load() } }.value } }
    }
  }

  @Test func asyncLet() async {
    await expectNoLeaks {
      Task(name: "parent") {
        async let one: Void = Request().load()
        await one
      }
    }
  }

  @Test func returnedObject() async {
    await expectNoLeaks { () -> (Clock, [Clock?]) in
      let clock = Clock()
      let other = Clock()
      other.partner = clock
      clock.partner = other
      return (clock, [other, nil])
    }
  }

  @Test func handedOverAndReturned() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      clock.partner = clock
      return clock
    }
  }

  @Test func deallocated() async {
    await expectDeallocated { () -> Clock in
      let clock = Clock()
      clock.partner = clock
      return clock
    }
  }

  @Test(.noLeaks) func trait() {
    watch(Forwarder()).start()
  }

  @Test @MainActor func onMainActor() async {
    await expectNoLeaks { watch(Forwarder()).start() }
  }

  @Test func detachedInWholeProcess() async {
    await expectNoLeaks(wholeProcess: true) {
      Task.detached(name: "detached") { await Request().load() }
    }
  }

  @Test func sleepsForEver() async {
    let task = Mutex<Task<Void, Never>?>(nil)
    await expectNoLeaks(within: .milliseconds(300)) {
      let clock = watch(Clock())
      let poller = Task(name: "poller") {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(20))
          clock.time += 1
        }
      }
      task.withLock { $0 = poller }
    }
    task.withLock { $0?.cancel() }
  }
}
