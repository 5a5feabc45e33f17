import Dispatch
import Foundation
import LeakCheck
import Synchronization
import Testing

/// The same patterns as they should be; each many times, to catch what is only seldom wrong.
@Suite("Clean", .enabled(if: Fixture.isOn)) struct CleanFixtures {
  static let rounds = Int(Fixture.variable("LEAKCHECK_ROUNDS") ?? "") ?? 20

  @Test func finishedStream() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let forwarder = watch(Forwarder())
        forwarder.start()
        forwarder.stop()
      }
    }
  }

  @Test func cancelled() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let forwarder = watch(Forwarder())
        forwarder.startWithGuard()
        forwarder.cancel()
      }
    }
  }

  @Test func weakly() async {
    for _ in 0..<Self.rounds { await expectNoLeaks { watch(Forwarder()).startWeakly() } }
  }

  @Test func resumedByThread() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let runner = watch(Runner())
        Task { await runner.run() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(3)) { runner.stop() }
      }
    }
  }

  @Test func resumedWithRawContinuation() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          await withUnsafeContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) {
              continuation.resume()
            }
          }
          clock.time = 1
        }
      }
    }
  }

  @Test func sleeping() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          try? await Task.sleep(for: .milliseconds(6))
          clock.time = 1
        }
      }
    }
  }

  @Test func cycleThatEndsByItself() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        clock.later = { clock.later = nil }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(4)) { clock.finish() }
      }
    }
  }

  @Test(arguments: [40, 130]) func resumedLate(milliseconds: Int) async {
    for _ in 0..<max(Self.rounds / 40, 3) {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          await withUnsafeContinuation { continuation in
            let time = DispatchTime.now() + .milliseconds(milliseconds)
            DispatchQueue.global().asyncAfter(deadline: time) { continuation.resume() }
          }
          clock.time = 1
        }
        Task {
          try? await Task.sleep(for: .milliseconds(milliseconds))
          clock.time = 2
        }
        let sleeper = Task.detached { try? await Task.sleep(for: .milliseconds(milliseconds)) }
        Task {
          await sleeper.value
          clock.time = 3
        }
        Task {
          await withUnsafeContinuation { continuation in
            Thread.detachNewThread {
              usleep(UInt32(milliseconds) * 1000)
              continuation.resume()
            }
          }
          clock.time = 4
        }
      }
    }
  }

  @Test func groups() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          await withTaskGroup { group in
            for delay in 1...4 {
              group.addTask {
                try? await Task.sleep(for: .milliseconds(delay))
                clock.time = delay
              }
            }
          }
        }
      }
    }
  }

  @Test func detachedResumes() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let forwarder = watch(Forwarder())
        forwarder.start()
        Task.detached {
          try? await Task.sleep(for: .milliseconds(3))
          forwarder.stop()
        }
      }
    }
  }

  @Test func busyThreadResumes() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let runner = watch(Runner())
        Task { await runner.run() }
        DispatchQueue.global().async {
          let end = ContinuousClock.now + .milliseconds(12)
          while ContinuousClock.now < end {}
          runner.stop()
        }
      }
    }
  }

  @Test(.noLeaks) func trait() async throws {
    let forwarder = watch(Forwarder())
    forwarder.start()
    forwarder.stop()
  }
}
