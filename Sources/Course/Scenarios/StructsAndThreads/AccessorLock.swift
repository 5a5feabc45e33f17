import MemlabKit
import Synchronization

extension Scenario {
  /// `accessor-lock`: a lock around each read and each write.
  static let accessorLock = Scenario(
    id: "accessor-lock", title: "a lock around each read and each write",
    document: .structsAndThreads, place: "the first of its two ways out, done only in part",
    lesson: "06-a-struct-is-not-a-lock",
    question: "Each access to the value takes a lock. Two tasks each add 1 to it through inout, "
      + "with an await on the way. Where does it end?",
    hint: "When is the lock held, and when is it not? In which order would no update be lost?",
    next: "struct-actor", fixedBy: "struct-lock",
    endings: [
      Ending(
        "inout", "two tasks pass the value inout, across an await",
        expects: .count(lost: 1).inOtherOrders(.count(lost: 0)),
        explanation: "The getter locks, and the setter locks. Between the two, inout holds a copy "
          + "and no lock. First in, first out, both tasks read 0 and both write 1. Only if one "
          + "task ends before the other begins is no update lost; --schedules all runs every "
          + "order.",
        run: { try AccessorLock.play(on: $0) { await AccessorLock.addLater(1, to: &$0.value) } }),
      Ending(
        "whole", "two tasks add under one lock that spans the read and the write",
        expects: .count(lost: 0),
        explanation: "The lock is held from the read to the write, and the await comes before "
          + "both. No order of the tasks loses an update."
      ) { lab in
        try AccessorLock.play(on: lab) { counter in
          await Task.yield()
          counter.add(1)
        }
      }
      .claiming(
        "to use a struct in a thread-safe way takes a lock, or a copy to work on",
        original: "구조체도 thread-safe하게 사용하려면 lock을 걸어놓는다거나 값을 복사해놓고 사용하는 등"
      ) { $0.metric(.lostUpdates) == 0 },
    ])
}

/// A value with a lock around each access, which does not protect a change.
enum AccessorLock {
  // snippet:code
  final class Counter: Sendable {
    private let storage = Mutex(0)

    var value: Int {
      get { storage.withLock { $0 } }
      set { storage.withLock { $0 = newValue } }
    }

    func add(_ amount: Int) {
      storage.withLock { $0 += amount }
    }
  }

  static func addLater(_ amount: Int, to value: inout Int) async {
    await Task.yield()
    value += amount
  }
  // snippet:end

  /// Two tasks add 1 to a counter each.
  fileprivate static func play(
    on lab: Lab, _ add: @escaping @Sendable (Counter) async -> Void
  ) throws {
    let counter = Counter()
    try lab.step("two tasks add 1 each", until: lab.ledger.allTasksFinished) {
      for _ in 1...2 { Task(probe: "writer") { await add(counter) } }
    }
    lab.ledger.setMetrics([.lostUpdates: 2 - counter.value, "finalCount": counter.value])
  }
}

extension Declaration {
  /// The counts of tasks that add 1 to a number twice.
  static func count(lost: Int, tasks name: String = "writer", _ number: Int = 2) -> Declaration {
    Declaration(
      lost == 0 ? .clean : .race, tasks: [TaskCount(name, started: number, finished: number)],
      metrics: [.lostUpdates: lost, "finalCount": 2 - lost])
  }
}
