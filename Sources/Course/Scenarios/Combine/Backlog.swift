import MemlabKit
import Synchronization

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
  init(of what: String, in ledger: Ledger) {
    self.what = what
    self.ledger = ledger
  }

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
      let index = pending.firstIndex { $0 === work }
      return index.map { pending.remove(at: $0) } != nil
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
  let outcome: () -> Result<Output, Failure>

  /// Adds a piece of work for this subscriber.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
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
      self.work = work
      self.downstream = downstream
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      if work.backlog.cancel(self) { downstream = nil }
    }

    func complete() {
      let downstream = downstream
      self.downstream = nil
      switch work.outcome() {
      case .success(let value):
        _ = downstream?.receive(value)
        downstream?.receive(completion: .finished)
      case .failure(let error):
        downstream?.receive(completion: .failure(error))
      }
    }
  }
}
