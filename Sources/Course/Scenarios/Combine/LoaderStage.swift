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

/// Holds everything that the loaders of “Memory management in Combine” need, and runs the steps of
/// their endings.
final class LoaderStage<Loader: LoaderUnderStudy> {
  /// Makes a loader from what the document passes to it.
  typealias Make = @Sendable (URL, URLSession, JSONDecoder, OutsideWorld) -> Loader

  private let lab: Lab
  private let world: OutsideWorld
  /// Whether the loader saves what it has loaded.
  let usesDisk: Bool
  @Variable("loader") private var loader: Loader?
  @Variable("view") private var view: AnyCancellable?

  /// An empty stage.
  ///
  /// - Parameter usesDisk: whether the loader saves what it has loaded.
  init(_ lab: Lab, usesDisk: Bool) {
    self.lab = lab
    self.usesDisk = usesDisk
    world = AppWide.keep(OutsideWorld(lab.ledger), for: lab.ledger)
  }

  /// Creates the loader. The observer holds its publisher, not the loader.
  ///
  /// - Parameter body: what the server will answer.
  func create(answering body: String = #"{ "title": "Combine" }"#, _ make: Make) throws {
    let ledger = lab.ledger
    try lab.step("a loader is created") {
      let session = URLSession(server: world.server, body: body)
      let url = URL(string: "https://example.com/article.json")!
      let loader = make(url, session, JSONDecoder(), world)
      view = loader.objectWillChange.sink { ledger.note("state set") }
      self.loader = loader
    }
  }

  /// Calls `load()`.
  func load(_ what: String = "load() is called") throws { try lab.step(what) { loader?.load() } }

  /// Answers all open requests.
  func answer(_ what: String = "the server answers") throws { try complete(world.server, what) }

  /// Completes all open saves.
  func write(_ what: String = "the disk has written") throws { try complete(world.disk, what) }

  /// Enters the largest number of requests that were open at the same time.
  var mostRequestsOpen: Int { world.server.mostOpen }

  /// Enters a figure of this ending only.
  func enter(_ name: Metric, _ value: Int) { lab.ledger.setMetric(name, value) }

  /// Drops the loader, after entering whether it has loaded.
  func dropLoader() throws {
    lab.ledger.setMetric("loaded", loader?.isLoaded == true ? 1 : 0)
    try lab.release("the loader is dropped") { loader = nil }
  }

  /// Enters the figures that are read from outside at the end.
  func close() {
    lab.ledger.setMetric("stateSet", lab.ledger.notes(of: "state set"))
    lab.ledger.setMetric("requestsOpen", world.server.open)
    lab.ledger.setMetric("requestsCancelled", world.server.cancelled)
    guard usesDisk else { return }
    lab.ledger.setMetric("savesStarted", world.disk.started)
    lab.ledger.setMetric("savesCancelled", world.disk.cancelled)
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
