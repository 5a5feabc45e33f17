import MemlabKit
import MemlabPlatform
import Synchronization

// The Combine of another package where there is one, and else the small one of Patterns, for all files
// of this module. Apple's does not follow the lab's clock.
#if canImport(Combine) && !canImport(Darwin)
  @_exported public import Combine
#else
  @_exported public import MemlabPatterns
  /// The queue of Patterns, and not Foundation's.
  typealias DispatchQueue = MemlabPatterns.DispatchQueue
  /// The run loop of Patterns, and not Foundation's.
  typealias RunLoop = MemlabPatterns.RunLoop
  /// The timer of Patterns, and not Foundation's.
  typealias Timer = MemlabPatterns.Timer
#endif

/// The server and the disk that the loaders use. An app has them as long as it runs.
final class OutsideWorld: Sendable {
  /// The server's side of every request.
  let server: Backlog
  /// The disk's side of every save.
  let disk: Backlog

  /// A world without open work.
  init(_ ledger: Ledger) {
    server = Backlog(of: "request", in: ledger)
    disk = Backlog(of: "save", in: ledger)
  }
}

/// Foundation's session, as far as the document uses it. Its server answers when the stage tells it
/// to.
final class URLSession: Sendable {
  private let server: Backlog
  private let body: Data

  /// A session with a server that answers every request with this text.
  init(server: Backlog, body: String) { (self.server, self.body) = (server, Data(body.utf8)) }

  /// Sends a request for each subscription.
  func dataTaskPublisher(for url: URL) -> Work<(data: Data, response: URLResponse), URLError> {
    Work(backlog: server) { [body] in (data: body, response: URLResponse()) }
  }
}

/// What a server sends besides the data.
struct URLResponse: Sendable {}

/// What can go wrong on the way to a server. Nothing does here.
struct URLError: Error {}

/// The document's wrapper of a model that was stored.
struct Stored<Model> {
  /// What was stored.
  let model: Model
}

/// The database, which the document does not show. A save ends when the disk has written.
final class Database {
  private let disk: Backlog
  private let probe = Probe(Database.self)

  /// A database on this disk.
  init(disk: Backlog) { self.disk = disk }

  /// Saves a model; each subscription is one save.
  func store<Model>(_ model: Model) -> AnyPublisher<Stored<Model>, Error> {
    Work(backlog: disk) { Stored(model: model) }.eraseToAnyPublisher()
  }
}

/// What the loaders load.
struct Article: Decodable, Sendable {
  /// Its title.
  let title: String
}

/// Work that was given to the outside world: a server, a disk.
///
/// The outside world holds the work until it is done or cancelled, and does it when the stage tells
/// it to.
final class Backlog: Sendable {
  private let what: String
  private let ledger: Ledger
  private let pending = Mutex<[any PendingWork]>([])
  private let peak = Mutex(0)

  /// An empty backlog.
  ///
  /// - Parameters:
  ///   - what: what one piece of work is called, such as "request".
  ///   - ledger: where the start and the end of each piece of work are noted.
  init(of what: String, in ledger: Ledger) { (self.what, self.ledger) = (what, ledger) }

  /// How many pieces are open: neither done nor cancelled.
  var open: Int { pending.withLock { $0.count } }
  /// The largest number of pieces that were open at the same time.
  var mostOpen: Int { peak.withLock { $0 } }
  /// How many pieces were added.
  var started: Int { ledger.notes(of: "\(what) started") }
  /// How many pieces were cancelled before they were done.
  var cancelled: Int { ledger.notes(of: "\(what) cancelled") }

  /// Does all open pieces, the oldest first.
  func completeAll() {
    for work in pending.withLock({ $0 }) where remove(work) {
      ledger.note("\(what) answered")
      work.complete()
    }
  }

  fileprivate func add(_ work: any PendingWork) {
    ledger.note("\(what) started")
    pending.withLock { $0.append(work) }
    peak.withLock { $0 = max($0, open) }
  }

  /// Cancels a piece of work.
  ///
  /// - Returns: whether it was open.
  fileprivate func cancel(_ work: any PendingWork) -> Bool {
    let wasOpen = remove(work)
    if wasOpen { ledger.note("\(what) cancelled") }
    return wasOpen
  }

  private func remove(_ work: any PendingWork) -> Bool {
    pending.withLock { pending in
      pending.firstIndex { $0 === work }.map { pending.remove(at: $0) } != nil
    }
  }
}

/// One piece of work that is open.
private protocol PendingWork: AnyObject, Sendable {
  func complete()
}

/// Publishes the result of a piece of work; each subscription adds the work again.
struct Work<Output, Failure: Error>: Publisher {
  /// Where the work is added.
  let backlog: Backlog
  /// The result, once the work is done.
  let outcome: () -> Output

  /// Adds a piece of work for this subscriber.
  func receive(subscriber: some Subscriber<Output, Failure>) {
    let order = Order(work: self, downstream: subscriber)
    backlog.add(order)
    subscriber.receive(subscription: order)
  }

  // Holds its subscriber, and is held by the backlog, until the work is done or cancelled. It is
  // used only by the code that has taken it out of the backlog, so nothing here needs a lock.
  private final class Order: Subscription, PendingWork, @unchecked Sendable {
    private let work: Work
    private var downstream: (any Subscriber<Output, Failure>)?

    init(work: Work, downstream: any Subscriber<Output, Failure>) {
      (self.work, self.downstream) = (work, downstream)
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() { if work.backlog.cancel(self) { downstream = nil } }

    func complete() {
      let downstream = self.downstream.take()
      _ = downstream?.receive(work.outcome())
      downstream?.receive(completion: .finished)
    }
  }
}
