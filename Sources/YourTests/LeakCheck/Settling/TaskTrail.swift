import MemlabHeapModel

/// The tasks that one look after another has found.
///
/// A task may start its successor and end, again and again. Then each look finds another one, or none,
/// and no task is ever there that has not finished.
///
/// It is kept from one look to the next, so it has no task's address: that would be a way to the task.
struct TaskTrail {
  private var looks: [[UInt64]] = []
  /// The latest that tells where it was created; nil when none does.
  private(set) var latest: TaskOrigin?

  private static let shortest = 3

  /// Notes what a look has found.
  mutating func add(_ tasks: [TaskTrace]) {
    guard !tasks.isEmpty else { return }
    looks.append(tasks.map(\.task.id))
    for trace in tasks where trace.origin != nil { latest = TaskOrigin(of: trace) }
  }

  /// Whether none of the latest looks has found a task that the one before has: they come and go.
  var isSuccession: Bool {
    let latest = looks.suffix(Self.shortest)
    guard latest.count == Self.shortest else { return false }
    return zip(latest, latest.dropFirst()).allSatisfy { Set($0).isDisjoint(with: $1) }
  }
}

/// Where a task that has ended was created.
struct TaskOrigin: Sendable {
  /// The name that it was given; nil when it had none.
  let name: String?
  /// The function that created it.
  let function: String
  /// The same with its line, where that is known.
  let functionWithLine: String
  private let functions: [String]

  /// The origin of a task whose functions are known.
  init(of trace: TaskTrace) {
    name = trace.task.name
    function = trace.origin ?? ""
    functionWithLine = trace.originWithLine ?? ""
    functions = trace.frames.map(\.function)
  }

  /// Whether the task had a name, or had begun in the function of that name.
  func isNamed(_ wanted: String) -> Bool {
    name == wanted || functions.contains { $0.isFunction(wanted) }
  }
}
