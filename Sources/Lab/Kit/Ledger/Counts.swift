/// Something that is counted under a name.
protocol Counted: Sendable {
  /// A count of nothing yet.
  init(name: String)
  /// What is counted.
  var name: String { get }
}

/// How many objects of one type were created and deinitialized.
public struct ObjectCount: Counted, Codable, Equatable {
  /// The type's name, without its module and the scenario that it is nested in.
  public var type: String
  /// How many were created.
  public var created = 0
  /// How many ran their `deinit`.
  public var deinitialized = 0

  /// How many still exist.
  public var alive: Int { created - deinitialized }

  /// Both numbers, as a difference from a declaration has them.
  var inWords: String { "\(deinitialized) of \(created) deinitialised" }

  /// The type's name.
  var name: String { type }

  /// A count of nothing yet.
  init(name: String) { type = name }

  /// The counts that a scenario declares.
  public init(_ type: String, created: Int, deinitialized: Int) {
    (self.type, self.created, self.deinitialized) = (type, created, deinitialized)
  }

  // The schema has what is left, too, so that a reader need not subtract.
  private enum Keys: String, CodingKey { case type, created, deinitialized, alive }

  /// Reads `type`, `created` and `deinitialized`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    type = try values.decode(String.self, forKey: .type)
    (created, deinitialized) = (try values.count(.created), try values.count(.deinitialized))
  }

  /// Writes `type`, `created`, `deinitialized` and `alive`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(type, forKey: .type)
    try container.encode(created, forKey: .created)
    try container.encode(deinitialized, forKey: .deinitialized)
    try container.encode(alive, forKey: .alive)
  }
}

/// How many tasks of one name were started and have finished.
public struct TaskCount: Counted, Codable, Equatable {
  /// The name that the task was given.
  public var name: String
  /// How many were created.
  public var started = 0
  /// How many bodies have ended.
  public var finished = 0

  /// How many bodies have not ended.
  public var live: Int { started - finished }

  /// Both numbers, as a difference from a declaration has them.
  var inWords: String { "\(finished) of \(started) finished" }

  /// A count of nothing yet.
  init(name: String) { self.name = name }

  /// The counts that a scenario declares.
  public init(_ name: String, started: Int, finished: Int) {
    (self.name, self.started, self.finished) = (name, started, finished)
  }

  private enum Keys: String, CodingKey { case name, started, finished, live }

  /// Reads `name`, `started` and `finished`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    name = try values.decode(String.self, forKey: .name)
    (started, finished) = (try values.count(.started), try values.count(.finished))
  }

  /// Writes `name`, `started`, `finished` and `live`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(name, forKey: .name)
    try container.encode(started, forKey: .started)
    try container.encode(finished, forKey: .finished)
    try container.encode(live, forKey: .live)
  }
}

/// How often something worth telling has happened, such as "consumer received".
package struct NoteCount: Counted, Codable, Equatable {
  /// What has happened.
  package var name: String
  /// How often.
  package var times = 0

  /// A count of nothing yet.
  init(name: String) { self.name = name }
}

extension Array where Element: Counted {
  /// The count of this name, of nothing yet where there is none; the first change adds it at the end.
  subscript(name: String) -> Element {
    get { first { $0.name == name } ?? Element(name: name) }
    set {
      if let index = firstIndex(where: { $0.name == name }) {
        self[index] = newValue
      } else {
        append(newValue)
      }
    }
  }
}

/// The name of a figure that a scenario measures.
///
/// A string literal is enough for a figure that only the scenario knows. One that decides a verdict
/// has a name here, so that it cannot be misspelt.
public struct Metric: RawRepresentable, Sendable, Hashable, Codable, CodingKeyRepresentable {
  /// The name, as it is in the report.
  public let rawValue: String

  /// A figure of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// How many updates a data race has lost; more than zero means ``Verdict/race``.
  public static let lostUpdates: Metric = "lostUpdates"
}

extension Metric: ExpressibleByStringInterpolation, Comparable, CustomStringConvertible {
  /// A figure of this name.
  public init(stringLiteral name: String) { self.init(rawValue: name) }

  /// The name.
  public var description: String { rawValue }

  /// By name.
  public static func < (one: Metric, other: Metric) -> Bool { one.rawValue < other.rawValue }
}

/// The counts of a ledger at one moment.
public struct Totals: Codable, Sendable, Equatable {
  /// Objects by type, in the order of their first creation.
  package var objects: [ObjectCount] = []
  /// Tasks by name, in the order of their first creation.
  package var tasks: [TaskCount] = []
  /// What the scenario has noted, in the order of first use.
  package var notes: [NoteCount] = []
  /// A scenario's own figures.
  public var metrics: [Metric: Int] = [:]

  /// No counts.
  package init() {}

  /// How many objects have not been deinitialized.
  public var aliveObjects: Int { objects.reduce(0) { $0 + $1.alive } }

  /// How many tasks have not finished.
  public var liveTasks: Int { tasks.reduce(0) { $0 + $1.live } }

  /// The count of one type; zero of zero when none was created.
  public func object(_ type: String) -> ObjectCount { objects[type] }

  /// The count of one task name; zero of zero when none was started.
  public func task(_ name: String) -> TaskCount { tasks[name] }

  /// What has changed since an earlier moment, as the report shows it: `+ DataCacheRepoImpl`,
  /// `- task consumer`, `consumer received 1`.
  package func changes(since earlier: Totals) -> [String] {
    objects.flatMap { count -> [String] in
      let before = earlier.object(count.type)
      return signed("+", count.type, count.created - before.created)
        + signed("-", count.type, count.deinitialized - before.deinitialized)
    }
      + tasks.flatMap { count -> [String] in
        let before = earlier.task(count.name)
        return signed("+", "task \(count.name)", count.started - before.started)
          + signed("-", "task \(count.name)", count.finished - before.finished)
      }
      + notes.compactMap { note in
        let before = earlier.notes[note.name].times
        return note.times > before ? "\(note.name) \(note.times - before)" : nil
      }
  }

  private func signed(_ sign: String, _ name: String, _ count: Int) -> [String] {
    switch count {
    case ..<1: []
    case 1: ["\(sign) \(name)"]
    default: ["\(sign) \(count) \(name)"]
    }
  }
}

extension KeyedDecodingContainer {
  // What is left is computed from two of these: a recording must not have more than any run can.
  fileprivate func count(_ key: Key) throws -> Int {
    let count = try decode(Int.self, forKey: key)
    guard (0...1 << 40).contains(count) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "no run has \(count) of anything")
    }
    return count
  }
}
