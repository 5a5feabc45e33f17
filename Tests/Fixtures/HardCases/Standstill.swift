import Foundation
import MemlabKit

/// Steps that never come to rest, and one that takes long and does.
enum Standstill {
  static let scenario = Scenario.hardCase(
    "standstill", "a step that makes no progress", step: "something blocks its thread",
    [
      "semaphore": { Task(probe: "waiter") { block() } },
      "loop": { Task(probe: "spinner") { spin() } },
      "action": { block() },
      // More than the pool makes threads: on Linux it makes another one for each that is blocked.
      "crowd": { for _ in 0..<600 { Task(probe: "waiter") { block() } } },
    ])

  /// Tasks that sleep and start the next, again and again, which takes no time on the virtual clock;
  /// they go on in their process when their ending has been given up.
  static let restless = Scenario.hardCase(
    "restless", "a loop that sleeps", step: "something goes on",
    [
      "sleeper": { startSleeper() }, "after": {},
    ])

  private static func startSleeper() {
    Task(probe: "sleeper") {
      try? await Task.sleep(for: .seconds(60))
      startSleeper()
    }
  }

  private static func block() { DispatchSemaphore(value: 0).wait() }

  private static func spin() { while true { sched_yield() } }
}
