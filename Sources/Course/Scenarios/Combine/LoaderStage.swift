import MemlabKit
import MemlabPlatform
import Synchronization

/// A model loader whose endings are measured.
protocol LoaderUnderStudy: ObservableObject
where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Starts to load.
  func load()
  /// Whether its state is `loaded`.
  var isLoaded: Bool { get }
}

/// What most of the document's loaders have besides `load()`, which is what they differ in.
class Loader<Model: Decodable, Loaded>: ObservableObject {
  /// What the loader shows.
  enum State {
    /// Nothing was loaded yet, or the request is open.
    case idle, loading
    /// What was loaded.
    case loaded(Loaded)
    /// The error that ended the load.
    case failed(Error)
  }

  /// The state that it publishes.
  @Published final var state = State.idle

  /// The model's address.
  final let url: URL
  /// What loads it.
  final let session: URLSession
  /// What reads it.
  final let decoder: JSONDecoder
  /// The pipeline.
  final var cancellable: AnyCancellable?
  private var probe: Probe?

  /// A loader that has not loaded yet.
  init(url: URL, session: URLSession, decoder: JSONDecoder) {
    (self.url, self.session, self.decoder) = (url, session, decoder)
    probe = Probe(type(of: self))
  }

  /// Whether its state is `loaded`.
  final var isLoaded: Bool { if case .loaded = state { true } else { false } }
}

/// A loader that saves what it has loaded.
class SavingLoader<Model: Decodable>: Loader<Model, Stored<Model>> {
  /// What saves it.
  final let database: Database

  /// A loader that has not loaded yet.
  init(url: URL, session: URLSession, decoder: JSONDecoder, database: Database) {
    self.database = database
    super.init(url: url, session: session, decoder: decoder)
  }
}

/// Holds everything that the loaders of “Memory management in Combine” need, and runs the steps of
/// their endings.
final class LoaderStage<Loader: LoaderUnderStudy> {
  /// Makes a loader from what the document passes to it.
  typealias Make = @Sendable (URL, URLSession, JSONDecoder, OutsideWorld) -> Loader

  private let lab: Lab
  private let world: OutsideWorld
  private let usesDisk: Bool
  @Variable("loader") private var loader: Loader?
  @Variable("view") private var view: AnyCancellable?

  /// A stage with the loader that this makes. The observer holds its publisher, not the loader.
  ///
  /// - Parameters:
  ///   - usesDisk: whether the loader saves what it has loaded.
  ///   - body: what the server will answer.
  init(_ lab: Lab, usesDisk: Bool, answering body: String, _ make: Make) throws {
    let ledger = lab.ledger
    (self.lab, self.usesDisk) = (lab, usesDisk)
    world = AppWide.keep(OutsideWorld(ledger), for: ledger)
    try lab.step("a loader is created") {
      let session = URLSession(server: world.server, body: body)
      let url = URL(string: "https://example.com/article.json")!
      let loader = make(url, session, JSONDecoder(), world)
      view = loader.objectWillChange.sink { ledger.note("state set") }
      self.loader = loader
    }
  }

  /// Calls `load()`.
  func load() throws { try lab.step("load() is called") { loader?.load() } }

  /// Calls `load()` once more, and enters the largest number of requests that were open at once.
  func loadAgain() throws {
    try lab.step("load() is called again") { loader?.load() }
    lab.ledger.setMetric("mostRequestsOpen", world.server.mostOpen)
  }

  /// Answers all open requests.
  func answer() throws { try complete(world.server, "the server answers") }

  /// Completes all open saves, if the loader saves.
  func write() throws { if usesDisk { try complete(world.disk, "the disk has written") } }

  /// Drops the loader, after entering whether it has loaded.
  func dropLoader() throws {
    lab.ledger.setMetric("loaded", loader?.isLoaded == true ? 1 : 0)
    try lab.release("the loader is dropped") { loader = nil }
  }

  /// Enters the figures that are read from outside at the end.
  func close() {
    lab.ledger.setMetrics([
      "stateSet": lab.ledger.notes(of: "state set"), "requestsOpen": world.server.open,
      "requestsCancelled": world.server.cancelled,
    ])
    guard usesDisk else { return }
    lab.ledger.setMetrics([
      "savesStarted": world.disk.started, "savesCancelled": world.disk.cancelled,
    ])
  }

  /// Does all open work, and delivers its results through the main queue.
  private func complete(_ backlog: Backlog, _ what: String) throws {
    let isThrough = Mutex(false)
    let allRun: @Sendable () -> Bool = { isThrough.withLock { $0 } }
    try lab.step(what, until: allRun) {
      backlog.completeAll()
      // The queue is first in, first out: when this runs, everything delivered before has run.
      DispatchQueue.main.schedule { isThrough.withLock { $0 = true } }
    }
  }
}

/// The endings of the model loaders in “Memory management in Combine”.
struct LoaderEndings<Loader: LoaderUnderStudy>: Sendable {
  private let usesDisk: Bool
  private let make: LoaderStage<Loader>.Make

  /// The endings of a loader that saves nothing.
  init(_ make: @escaping @Sendable (URL, URLSession, JSONDecoder) -> Loader) {
    (usesDisk, self.make) = (false, { url, session, decoder, _ in make(url, session, decoder) })
  }

  /// The endings of a loader that saves what it has loaded.
  init(saving make: @escaping @Sendable (URL, URLSession, JSONDecoder, Database) -> Loader) {
    (usesDisk, self.make) = (true, { make($0, $1, $2, Database(disk: $3.disk)) })
  }

  /// The load succeeds before the owner is dropped.
  var complete: SharedEnding {
    shared("complete", "the load completes, then the loader is dropped") {
      [$0.load, $0.answer, $0.write, $0.dropLoader]
    }
  }

  /// The owner is dropped before the server answers.
  var drop: SharedEnding {
    shared("drop", "the loader is dropped while its request is open") { [$0.load, $0.dropLoader] }
  }

  /// The server answers after the owner was dropped.
  var late: SharedEnding {
    shared("late", "the loader is dropped, then the server answers") {
      [$0.load, $0.dropLoader, $0.answer]
    }
  }

  /// The owner is dropped while the disk writes.
  var saving: SharedEnding {
    shared("saving", "the loader is dropped while its save is open") {
      [$0.load, $0.answer, $0.dropLoader]
    }
  }

  /// The server sends something that is not an article.
  var fail: SharedEnding {
    shared(
      "fail", "the answer cannot be decoded, then the loader is dropped", answering: "<html>"
    ) { [$0.load, $0.answer, $0.dropLoader] }
  }

  /// An ending of a loader that has just been created.
  func shared(
    _ name: String, _ title: String, answering body: String = #"{ "title": "Combine" }"#,
    steps: @escaping @Sendable (LoaderStage<Loader>) -> [() throws -> Void]
  ) -> SharedEnding {
    SharedEnding(name, title) { [make, usesDisk] lab in
      let stage = try LoaderStage(lab, usesDisk: usesDisk, answering: body, make)
      for step in steps(stage) { try step() }
      stage.close()
    }
  }
}

extension Declaration {
  /// The counts of one loader without a database.
  ///
  /// - Parameters:
  ///   - holder: who holds the loader in the end; nil where it is deinitialised.
  ///   - loaded: whether the loader's state was `loaded` when it was dropped, 0 or 1.
  ///   - sets: how often its state was set, from load() on.
  ///   - open: how many requests are open in the end.
  ///   - cancelled: how many requests were cancelled.
  ///   - metrics: figures of this ending only.
  static func loader(
    _ verdict: Verdict, heldBy holder: DeclaredHolder? = nil, loaded: Int, sets: Int,
    open: Int = 0, cancelled: Int = 0, metrics: [Metric: Int] = [:]
  ) -> Declaration {
    let figures: [Metric: Int] = [
      "loaded": loaded, "stateSet": sets, "requestsOpen": open, "requestsCancelled": cancelled,
    ]
    return .one(
      verdict, ["ModelLoader<Article>": holder],
      metrics: figures.merging(metrics) { figure, _ in figure })
  }

  /// The counts of one loader and its database.
  ///
  /// - Parameters:
  ///   - holder: who holds the loader in the end, which holds its database; nil where both are
  ///     deinitialised.
  ///   - loaded: whether the loader's state was `loaded` when it was dropped, 0 or 1.
  ///   - sets: how often its state was set, from load() on.
  ///   - requests: how many requests are open in the end, and how many were cancelled.
  ///   - saves: how many saves were begun, and how many of them were cancelled.
  static func savingLoader(
    _ verdict: Verdict, heldBy holder: DeclaredHolder? = nil, loaded: Int, sets: Int,
    requests: (open: Int, cancelled: Int) = (0, 0), saves: (started: Int, cancelled: Int) = (0, 0)
  ) -> Declaration {
    .one(
      verdict,
      [
        "ModelLoader<Article>": holder,
        "Database": holder.map { _ in .field("database", of: "ModelLoader") },
      ],
      metrics: [
        "loaded": loaded, "stateSet": sets,
        "requestsOpen": requests.open, "requestsCancelled": requests.cancelled,
        "savesStarted": saves.started, "savesCancelled": saves.cancelled,
      ])
  }
}
