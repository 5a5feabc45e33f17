import Dispatch
import MemlabKit

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Steps that never come to rest, and one that takes long and does.
enum Standstill {
  static let scenario = Scenario(
    id: "standstill", title: "a step that stands still",
    document: Document(file: "none.txt", title: "None"), place: "nowhere", lesson: "none",
    question: "What?", hint: "That.",
    endings: [
      ending("semaphore") { Task(probe: "waiter") { block() } },
      ending("loop") { Task(probe: "spinner") { spin() } },
      ending("action") { block() },
      // More than the pool makes threads: on Linux it makes another one for each that is blocked.
      ending("crowd") { for _ in 0..<600 { Task(probe: "waiter") { block() } } },
    ])

  private static func ending(
    _ name: String, _ action: @escaping @Sendable () -> Void
  ) -> Ending {
    Ending(name, "nothing ends", expects: .nothing, explanation: "-") { lab in
      try lab.step("all is well") {}
      try lab.step("something stands still", action)
    }
  }

  private static func block() { DispatchSemaphore(value: 0).wait() }

  private static func spin() {
    while true { sched_yield() }
  }
}
