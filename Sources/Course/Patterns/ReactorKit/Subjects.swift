/// An observable whose events come from outside, and are sent to all current subscribers.
public class PublishSubject<Element>: Observable<Element> {
  private let observers: ObserverList<Element>

  /// A subject without observers.
  public convenience init() { self.init(ObserverList()) }

  fileprivate init(_ observers: ObserverList<Element>) {
    self.observers = observers
    super.init { observers.add($0) }
  }

  /// Sends an event to every observer.
  public func on(_ event: Event<Element>) { observers.on(event) }
  /// Sends a value to every observer.
  public func onNext(_ element: Element) { on(.next(element)) }
  /// Ends every observer's sequence.
  public func onCompleted() { on(.completed) }
}

/// A subject that repeats its last value for each new subscriber.
public final class ReplaySubject<Element>: PublishSubject<Element> {
  /// A subject that has sent no value.
  public convenience init() { self.init(ReplayingObserverList()) }
}

/// The part that a subject and its subscriptions share. The subscriptions do not hold the subject.
private class ObserverList<Element> {
  private var observers: [(key: Int, observer: AnyObserver<Element>)] = []
  private var nextKey = 0

  func add(_ observer: AnyObserver<Element>) -> any Disposable {
    let key = nextKey
    nextKey += 1
    observers.append((key, observer))
    return Disposables.create { [weak self] in self?.observers.removeAll { $0.key == key } }
  }

  func on(_ event: Event<Element>) {
    for (_, observer) in observers { observer.on(event) }
  }
}

private final class ReplayingObserverList<Element>: ObserverList<Element> {
  private var last: Event<Element>?

  override func add(_ observer: AnyObserver<Element>) -> any Disposable {
    if let last { observer.on(last) }
    return super.add(observer)
  }

  override func on(_ event: Event<Element>) {
    last = event
    super.on(event)
  }
}

/// An observable that sends nothing until it is connected. Then all its observers share one
/// subscription.
public final class ConnectableObservable<Element>: Observable<Element> {
  private let upstream: Observable<Element>
  private let subject: PublishSubject<Element>

  /// Sends the events of `upstream` through one subject.
  init(_ upstream: Observable<Element>, through subject: PublishSubject<Element>) {
    self.upstream = upstream
    self.subject = subject
    super.init { subject.subscribe($0) }
  }

  /// Subscribes to the source on behalf of all observers.
  ///
  /// - Returns: the connection. If you throw it away, you can never disconnect.
  public func connect() -> any Disposable { upstream.onEvent(subject.on) }
}

extension Observable {
  /// Makes it connectable. Late subscribers receive the last value again.
  ///
  /// - Parameter bufferSize: how many values are repeated; only 1 is supported here.
  public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
    precondition(bufferSize == 1, "only replay(1) is built here")
    return ConnectableObservable(self, through: ReplaySubject())
  }
}
