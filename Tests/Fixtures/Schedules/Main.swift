import Foundation
import MemlabCLI
import MemlabKit
import MemlabTerminalText
import MemlabWitness
import Synchronization

/// A memlab whose scenarios have so few orders that they can be counted by hand.
@main enum Main {
  static func main() {
    let session = Session(App(scenarios: [scenario], heap: RealHeap.self))
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static let scenario = Scenario(
    id: "orders", title: "orders",
    endings: [
      ending("writers", .race, ["final": 1, .lostUpdates: 1], tasks: 2, run: writers),
      ending("independent", .clean, [:], tasks: 3, run: independent),
      ending("sleepers", .clean, ["last": 2], tasks: 2, run: sleepers),
      ending("apart", .clean, ["last": 2], tasks: 2, run: apart),
      ending("main", .clean, ["last": 2], tasks: 1, run: onMainActor),
      ending("actor", .clean, ["last": 2], tasks: 1, run: onActor),
      ending("deep", .clean, [:], tasks: 8, run: independentEight),
      ending("last", .clean, ["last": 8], tasks: 8, run: lastOfEight),
      ending("promise", .clean, [:], tasks: 2, run: promise),
      ending("once", .clean, ["first": 1], tasks: 2, run: once),
      ending("slow", .clean, ["finishedAtRest": 1], tasks: 1, run: slow),
      Ending(
        "either", "-", expects: lost(1).inOtherOrders(lost(0)), explanation: "-", run: writers),
      Ending(
        "swapped", "-", expects: lost(0).inOtherOrders(lost(1)), explanation: "-", run: writers),
      Ending(
        "absent", "-", expects: lost(1).inOtherOrders(lost(0), lost(2)), explanation: "-",
        run: writers),
    ])

  private static func lost(_ count: Int) -> Declaration {
    Declaration(
      count == 0 ? .clean : .race, tasks: [TaskCount("task", started: 2, finished: 2)],
      metrics: ["final": 2 - count, .lostUpdates: count])
  }

  private static func ending(
    _ name: String, _ verdict: Verdict, _ metrics: [Metric: Int], tasks: Int,
    run: @escaping @Sendable (Lab) throws -> Void
  ) -> Ending {
    Ending(
      name, "-",
      expects: Declaration(
        verdict, tasks: [TaskCount("task", started: tasks, finished: tasks)], metrics: metrics),
      explanation: "-", run: run)
  }

  // Two writers, each with a read, a wait and a write: of their six orders, two are serial.
  @Sendable private static func writers(_ lab: Lab) throws {
    let box = Box()
    try lab.step("two tasks add 1 to what they have read") {
      for _ in 1...2 { Task(probe: "task") { await increment(&box.value) } }
    }
    lab.ledger.setMetric("final", box.value)
    lab.ledger.setMetric(.lostUpdates, 2 - box.value)
  }

  // A computed property is read before the call and written after it: nothing is undefined here.
  private final class Box: Sendable {
    private let storage = Mutex(0)
    var value: Int {
      get { storage.withLock { $0 } }
      set { storage.withLock { $0 = newValue } }
    }
  }

  private static func increment(_ value: inout Int) async {
    await Task.yield()
    value += 1
  }

  // Three tasks that never wait: 3! orders.
  @Sendable private static func independent(_ lab: Lab) throws {
    try lab.step("three tasks begin and end") { for _ in 1...3 { Task(probe: "task") {} } }
  }

  // 8! orders, more than are run.
  @Sendable private static func independentEight(_ lab: Lab) throws {
    try lab.step("eight tasks begin and end") { for _ in 1...8 { Task(probe: "task") {} } }
  }

  @Sendable private static func lastOfEight(_ lab: Lab) throws {
    let ledger = lab.ledger
    try lab.step("eight tasks begin and end") {
      for index in 1...8 { Task(probe: "task") { ledger.setMetric("last", index) } }
    }
  }

  // Two tasks begin in either order, and of two sleepers of one moment either wakes first.
  @Sendable private static func sleepers(_ lab: Lab) throws {
    try sleep(lab, milliseconds: [10, 10])
  }

  // The clock decides who wakes first; only the beginnings are free.
  @Sendable private static func apart(_ lab: Lab) throws { try sleep(lab, milliseconds: [10, 20]) }

  private static func sleep(_ lab: Lab, milliseconds: [Int]) throws {
    let ledger = lab.ledger
    try lab.step("two tasks sleep") {
      for (index, time) in milliseconds.enumerated() {
        Task(probe: "task") {
          try? await Task.sleep(for: .milliseconds(time))
          ledger.setMetric("last", index + 1)
        }
      }
    }
  }

  // The main actor's executor is first in, first out.
  @Sendable private static func onMainActor(_ lab: Lab) throws {
    let ledger = lab.ledger
    try lab.step("two tasks of the main actor") {
      Task(probe: "task") { @MainActor in
        for index in 1...2 { Task { ledger.setMetric("last", index) } }
      }
    }
  }

  private actor Last {
    func set(_ value: Int, in ledger: Ledger) { ledger.setMetric("last", value) }

    /// Two tasks that begin on this actor, in the order of their creation.
    func both(in ledger: Ledger) { for index in 1...2 { Task { set(index, in: ledger) } } }
  }

  // A default actor's own queue is first in, first out.
  @Sendable private static func onActor(_ lab: Lab) throws {
    let ledger = lab.ledger
    try lab.step("an actor makes two tasks of its own") {
      Task(probe: "task") { await Last().both(in: ledger) }
    }
  }

  // Made on the main thread, the task has a high priority, and a queue of the pool with others of
  // its kind. It takes long enough for many rounds to pass through another queue.
  @Sendable private static func slow(_ lab: Lab) throws {
    try lab.step("a task holds its thread") { Task(probe: "task") { _ = usleep(100_000) } }
    lab.ledger.setMetric("finishedAtRest", lab.ledger.totals.task("task").finished)
  }

  // What is made in the first order is there in the others.
  @Sendable private static func once(_ lab: Lab) throws {
    try lab.step("two tasks begin and end") { for _ in 1...2 { Task(probe: "task") {} } }
    lab.ledger.setMetric("first", runs.entries.isEmpty ? 1 : 0)
    runs.add(1)
  }

  private static let runs = Log()

  // The step keeps its promise only if the tasks run as they came.
  @Sendable private static func promise(_ lab: Lab) throws {
    let log = Log()
    let inOrder: @Sendable () -> Bool = { log.entries == [1, 2] }
    try lab.step("the first task runs first", until: inOrder) {
      for index in 1...2 { Task(probe: "task") { log.add(index) } }
    }
  }

  private final class Log: Sendable {
    private let storage = Mutex([Int]())
    var entries: [Int] { storage.withLock { $0 } }
    func add(_ entry: Int) { storage.withLock { $0.append(entry) } }
  }
}
