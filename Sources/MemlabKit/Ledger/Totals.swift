/// The counts of a ledger at one moment.
public struct Totals: Sendable, Equatable {
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

  /// These counts.
  init(
    objects: [ObjectCount], tasks: [TaskCount], notes: [NoteCount], metrics: [Metric: Int]
  ) {
    self.objects = objects
    self.tasks = tasks
    self.notes = notes
    self.metrics = metrics
  }

  /// How many objects have not been deinitialized.
  public var aliveObjects: Int { objects.reduce(0) { $0 + $1.alive } }

  /// How many tasks have not finished.
  public var liveTasks: Int { tasks.reduce(0) { $0 + $1.live } }

  /// The count of one type; zero of zero when none was created.
  public func object(_ type: String) -> ObjectCount {
    objects.first { $0.type == type } ?? ObjectCount(name: type)
  }

  /// The count of one task name; zero of zero when none was started.
  public func task(_ name: String) -> TaskCount {
    tasks.first { $0.name == name } ?? TaskCount(name: name)
  }

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
        let before = earlier.notes.first { $0.name == note.name }?.times ?? 0
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
