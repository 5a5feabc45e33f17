import Dispatch
import LeakCheck
import Synchronization
import Testing

/// Tasks that are broken off, and end all the same.
extension CleanFixtures {
  @Test func cancellationHandlerResumes() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let runner = watch(Runner())
        let task = runner.runUntilCancelled()
        task.cancel()
      }
    }
  }

  @Test func cancelledByTimer() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let runner = watch(Runner())
        let task = runner.runUntilCancelled()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(4)) { task.cancel() }
      }
    }
  }

  @Test func groupCancelledMidway() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          await withTaskGroup { group in
            for _ in 0..<4 {
              group.addTask {
                try? await Task.sleep(for: .seconds(600))
                clock.time += 1
              }
            }
            group.addTask { try? await Task.sleep(for: .milliseconds(3)) }
            await group.next()
            group.cancelAll()
          }
        }
      }
    }
  }

  @Test func asyncLetBrokenOffByThrow() async {
    struct Failure: Error {}
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          async let slow: Void = Task.sleep(for: .seconds(600))
          async let other = clock.after(.milliseconds(2))
          guard await other < 0 else { throw Failure() }
          try await slow
        }
      }
    }
  }

  @Test func sleepCancelled() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let sleeper = Task {
          try? await Task.sleep(for: .seconds(600))
          clock.time = 1
        }
        Task {
          try? await Task.sleep(for: .milliseconds(3))
          sleeper.cancel()
        }
      }
    }
  }

  @Test func actorsQueue() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let counter = watch(Counter())
        for _ in 0..<8 { Task { await counter.count() } }
        await counter.count()
      }
    }
  }

  // The later of two that wait for one task leads to the earlier, and belongs to nobody.
  @Test func taskThatOthersAwait() async {
    for _ in 0..<Self.rounds / 10 + 1 {
      await expectNoLeaks {
        let clock = watch(Clock())
        let shared = Task.detached {
          await withUnsafeContinuation { continuation in
            let time = DispatchTime.now() + .milliseconds(150)
            DispatchQueue.global().asyncAfter(deadline: time) { continuation.resume() }
          }
        }
        let isFirst = Mutex(false)
        Task {
          isFirst.withLock { $0 = true }
          await shared.value
          clock.time = 1
        }
        while !isFirst.withLock({ $0 }) { await Task.yield() }
        await Task.yield()
        Task.detached { await shared.value }
      }
    }
  }
}

extension Clock {
  /// Says the time, later.
  fileprivate func after(_ delay: Duration) async -> Int {
    try? await Task.sleep(for: delay)
    return time
  }
}

/// Counts, and is suspended in the middle of it.
private actor Counter {
  private var value = 0

  func count() async {
    value += 1
    await Task.yield()
    value += 1
  }
}

extension Runner {
  fileprivate func runUntilCancelled() -> Task<Void, Never> {
    Task {
      await withTaskCancellationHandler {
        await run()
      } onCancel: {
        stop()
      }
    }
  }
}
