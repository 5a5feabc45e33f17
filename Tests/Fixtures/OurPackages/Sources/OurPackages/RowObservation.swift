import Dispatch
import GRDB
import Memlab
import Synchronization

/// A GRDB observation: the database calls a closure that holds the model, on a queue of its own.
let rowObservation = Scenario(
  id: "row-observation",
  title: "a model that observes rows and stores the observation",
  fixedBy: "row-observation-weak",
  endings: [
    Ending("drop", "the screen is closed") { lab in
      let players = try lab.awaiting("a database is opened") { try await Players() }
      @Variable("model") var model: PlayerModel?
      try lab.step("a screen is opened", until: { players.shown == 1 }, onOtherThreads: true) {
        model = PlayerModel()
        model?.follow(players)
      }
      try lab.step("a row is added", until: { players.shown == 2 }, onOtherThreads: true) {
        try players.add("Arthur")
      }
      try lab.release("the screen is closed") { model = nil }
      AppWide.keep(players, for: lab.ledger)
    },
    Ending("stop", "the observation is stopped, and then the screen is closed") { lab in
      let players = try lab.awaiting("a database is opened") { try await Players() }
      @Variable("model") var model: PlayerModel?
      try lab.step("a screen is opened", until: { players.shown == 1 }, onOtherThreads: true) {
        model = PlayerModel()
        model?.follow(players)
      }
      try lab.step("the observation is stopped") { model?.stop() }
      let ledger = lab.ledger
      try lab.release(
        "the screen is closed", until: { ledger.totals.object("PlayerModel").alive == 0 },
        onOtherThreads: true
      ) { model = nil }
      AppWide.keep(players, for: lab.ledger)
    },
  ])

/// The fix: the closure holds the model weakly.
let rowObservationWeak = Scenario(
  id: "row-observation-weak",
  title: "a model that observes rows weakly",
  endings: [
    Ending("drop", "the screen is closed") { lab in
      let players = try lab.awaiting("a database is opened") { try await Players() }
      @Variable("model") var model: WeakPlayerModel?
      try lab.step("a screen is opened", until: { players.shown == 1 }, onOtherThreads: true) {
        model = WeakPlayerModel()
        model?.follow(players)
      }
      let ledger = lab.ledger
      try lab.release(
        "the screen is closed", until: { ledger.totals.object("WeakPlayerModel").alive == 0 },
        onOtherThreads: true
      ) { model = nil }
      AppWide.keep(players, for: lab.ledger)
    }
  ])

// snippet:code
final class PlayerModel: Sendable {
  private let probe = Probe(PlayerModel.self)
  private let count = Mutex(0)
  private let observation = Mutex<AnyDatabaseCancellable?>(nil)

  func follow(_ players: Players) {
    let cancellable = players.counts { count in
      self.count.withLock { $0 = count }
    }
    observation.withLock { $0 = cancellable }
  }

  func stop() { observation.withLock { $0 = nil } }
}

final class WeakPlayerModel: Sendable {
  private let probe = Probe(WeakPlayerModel.self)
  private let count = Mutex(0)
  private let observation = Mutex<AnyDatabaseCancellable?>(nil)

  func follow(_ players: Players) {
    let cancellable = players.counts { [weak self] count in
      self?.count.withLock { $0 = count }
    }
    observation.withLock { $0 = cancellable }
  }
}
// snippet:end

/// A database in memory.
final class Players: Sendable {
  private let database: DatabaseQueue
  private let queue = DispatchQueue(label: "players")
  private let changes = Mutex(0)

  /// How often a count was shown.
  var shown: Int { changes.withLock { $0 } }

  init() async throws {
    database = try DatabaseQueue()
    try await database.write { try $0.execute(sql: "CREATE TABLE player (name TEXT)") }
  }

  func add(_ name: String) throws {
    try database.write { try $0.execute(sql: "INSERT INTO player VALUES (?)", arguments: [name]) }
  }

  /// Calls a closure with the count of players, now and after each change.
  func counts(_ show: @escaping @Sendable (Int) -> Void) -> AnyDatabaseCancellable {
    ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM player") ?? 0 }
      .start(
        in: database, scheduling: .async(onQueue: queue), onError: { _ in },
        onChange: { [weak self] count in
          show(count)
          self?.changes.withLock { $0 += 1 }
        })
  }
}
