/// Something that is counted under a name.
protocol Counted: Sendable {
  /// A count of nothing yet.
  init(name: String)
  /// What is counted.
  var name: String { get }
}

/// How many objects of one type were created and deinitialized.
public struct ObjectCount: Counted, Decodable, Equatable {
  /// The type's name, without its module and the scenario that it is nested in.
  public var type: String
  /// How many were created.
  public var created = 0
  /// How many ran their `deinit`.
  public var deinitialized = 0

  /// How many still exist.
  public var alive: Int { created - deinitialized }

  /// The type's name.
  var name: String { type }

  /// A count of nothing yet.
  init(name: String) {
    type = name
  }

  /// The counts that a scenario declares.
  public init(_ type: String, created: Int, deinitialized: Int) {
    self.type = type
    self.created = created
    self.deinitialized = deinitialized
  }
}

/// How many tasks of one name were started and have finished.
public struct TaskCount: Counted, Decodable, Equatable {
  /// The name that the task was given.
  public var name: String
  /// How many were created.
  public var started = 0
  /// How many bodies have ended.
  public var finished = 0

  /// How many bodies have not ended.
  public var live: Int { started - finished }

  /// A count of nothing yet.
  init(name: String) {
    self.name = name
  }

  /// The counts that a scenario declares.
  public init(_ name: String, started: Int, finished: Int) {
    self.name = name
    self.started = started
    self.finished = finished
  }
}

/// How often something worth telling has happened, such as "consumer received".
package struct NoteCount: Counted, Codable, Equatable {
  /// What has happened.
  package var name: String
  /// How often.
  package var times = 0

  /// A count of nothing yet.
  init(name: String) {
    self.name = name
  }
}

/// Counts, in the order in which their names were first used.
struct Tally<Count: Counted>: Sendable {
  /// The counts.
  private(set) var rows: [Count] = []

  /// The count of this name, created on first use.
  subscript(name: String) -> Count {
    get { rows.first { $0.name == name } ?? Count(name: name) }
    set {
      if let index = rows.firstIndex(where: { $0.name == name }) {
        rows[index] = newValue
      } else {
        rows.append(newValue)
      }
    }
  }
}
