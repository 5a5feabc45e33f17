import Dispatch
import MemlabKit

/// Steps whose code needs the main thread, which waits for them.
enum MainThread {
  @MainActor private static var count = 0

  static let scenario = Scenario(
    id: "main-thread", title: "code of the main thread",
    endings: [
      ending("actor", tasks: 2) { ledger in
        for _ in 1...2 {
          Task(probe: "task") { @MainActor in
            for _ in 1...50 {
              count += 1
              await Task.detached {}.value
            }
            ledger.setMetric("done", 1)
          }
        }
      },
      ending("queue", tasks: 0) { ledger in
        DispatchQueue.main.async { DispatchQueue.main.async { ledger.setMetric("done", 1) } }
      },
      ending("assumed", tasks: 0) { ledger in
        MainActor.assumeIsolated { count += 1 }
        ledger.setMetric("done", 1)
      },
    ])

  /// More threads of the pool than there are wait for the main thread.
  static let waiting = Scenario(
    id: "waiting", title: "tasks that wait for the main thread",
    endings: [
      ending("sync", tasks: 8) { ledger in
        for _ in 1...8 {
          Task(probe: "task") { DispatchQueue.main.sync { ledger.setMetric("done", 1) } }
        }
      }
    ])

  private static func ending(
    _ name: String, tasks: Int, _ action: @escaping @Sendable (Ledger) -> Void
  ) -> Ending {
    Ending(
      name, "-",
      expects: Declaration(
        .clean, tasks: tasks == 0 ? [] : [TaskCount("task", started: tasks, finished: tasks)],
        metrics: ["done": 1]), explanation: "-"
    ) { lab in try lab.step("something is done on the main thread") { action(lab.ledger) } }
  }
}
