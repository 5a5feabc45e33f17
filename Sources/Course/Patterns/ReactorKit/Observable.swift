/// What an observable sends to its observers.
public enum Event<Element> {
  /// The next value.
  case next(Element)
  /// The end, with an error.
  case error(any Error)
  /// The end, without an error.
  case completed

  /// Whether it is the last event.
  var isEnd: Bool {
    if case .next = self { return false }
    return true
  }
}

/// Receives the events of a source.
public struct AnyObserver<Element> {
  private let handler: (Event<Element>) -> Void

  /// An observer that passes every event to a closure.
  public init(_ handler: @escaping (Event<Element>) -> Void) { self.handler = handler }

  /// Sends an event.
  public func on(_ event: Event<Element>) { handler(event) }
  /// Sends a value.
  public func onNext(_ element: Element) { handler(.next(element)) }
  /// Sends the end with an error.
  public func onError(_ error: any Error) { handler(.error(error)) }
  /// Sends the end.
  public func onCompleted() { handler(.completed) }
}

/// A sequence of events that starts again for each subscription.
///
/// A small part of Rx, under RxSwift's names. It supports one thread: everything happens in the
/// call that causes it.
public class Observable<Element> {
  private let source: (AnyObserver<Element>) -> any Disposable

  /// Calls `source` for each subscription.
  init(source: @escaping (AnyObserver<Element>) -> any Disposable) { self.source = source }

  /// An observable that calls a closure for each subscription.
  ///
  /// - Parameter subscribe: sends events to the observer now or later, and returns a disposable
  ///   that stops it.
  public static func create(
    _ subscribe: @escaping (AnyObserver<Element>) -> any Disposable
  ) -> Observable<Element> { Observable(source: subscribe) }

  /// Begins to pass events to an observer.
  ///
  /// - Returns: a disposable that stops it. The subscription keeps itself alive until it is
  ///   disposed of or ends, even if the caller drops the disposable.
  public func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
    let subscription = SourceSubscription(observer)
    subscription.upstream(source(AnyObserver { subscription.on($0) }))
    return subscription
  }

  /// Begins to pass values to a closure.
  public func subscribe(onNext: @escaping (Element) -> Void) -> any Disposable {
    onEvent { event in
      if case .next(let element) = event { onNext(element) }
    }
  }

  /// Begins to pass events to a closure.
  func onEvent(_ handler: @escaping (Event<Element>) -> Void) -> any Disposable {
    subscribe(AnyObserver(handler))
  }
}

/// Holds its upstream, which holds the observer, which holds this: a cycle on purpose, cut by the
/// end of the sequence or by `dispose()`. RxSwift has the same one.
private final class SourceSubscription<Element>: Disposable {
  private var observer: AnyObserver<Element>?
  private var source: (any Disposable)?

  init(_ observer: AnyObserver<Element>) { self.observer = observer }

  func upstream(_ source: any Disposable) {
    if observer == nil { source.dispose() } else { self.source = source }
  }

  func on(_ event: Event<Element>) {
    let observer = observer
    if event.isEnd { dispose() }
    observer?.on(event)
  }

  func dispose() {
    let source = source
    (self.observer, self.source) = (nil, nil)
    source?.dispose()
  }
}

extension Observable {
  /// Ends at once.
  public static func empty() -> Observable<Element> {
    create { observer in
      observer.onCompleted()
      return Disposables.create()
    }
  }

  /// Sends one value and ends.
  public static func just(_ element: Element) -> Observable<Element> {
    create { observer in
      observer.onNext(element)
      observer.onCompleted()
      return Disposables.create()
    }
  }

  /// Changes every value.
  public func map<Result>(_ transform: @escaping (Element) -> Result) -> Observable<Result> {
    .create { observer in
      self.onEvent { event in
        switch event {
        case .next(let element): observer.onNext(transform(element))
        case .error(let error): observer.onError(error)
        case .completed: observer.onCompleted()
        }
      }
    }
  }

  /// Sends the result of a reducer, which combines the last result with each value.
  public func scan<Result>(
    _ seed: Result, _ accumulate: @escaping (Result, Element) -> Result
  ) -> Observable<Result> {
    .create { observer in
      var result = seed
      return self.map { element in
        result = accumulate(result, element)
        return result
      }
      .subscribe(observer)
    }
  }

  /// Continues with another observable if this one fails.
  public func `catch`(
    _ handler: @escaping (any Error) -> Observable<Element>
  ) -> Observable<Element> {
    .create { observer in
      let both = CompositeDisposable()
      both.insert(
        self.onEvent { event in
          guard case .error(let error) = event else { return observer.on(event) }
          both.insert(handler(error).subscribe(observer))
        })
      return both
    }
  }

  /// Sends a value before all others.
  public func startWith(_ element: Element) -> Observable<Element> {
    .create { observer in
      observer.onNext(element)
      return self.subscribe(observer)
    }
  }

  /// Calls a closure with each value, and passes the value on.
  public func `do`(onNext: @escaping (Element) -> Void) -> Observable<Element> {
    map { element in
      onNext(element)
      return element
    }
  }

  /// Passes every event through a scheduler.
  public func observe(on scheduler: CurrentThreadScheduler) -> Observable<Element> {
    .create { observer in self.onEvent { event in scheduler.schedule { observer.on(event) } } }
  }
}

/// Runs everything at once, on the current thread.
public struct CurrentThreadScheduler: Sendable {
  /// The only scheduler.
  public static let instance = CurrentThreadScheduler()

  /// Runs an action.
  public func schedule(_ action: () -> Void) { action() }
}

extension Observable {
  /// Turns each value into an observable, subscribes to it, and sends the values of all of them.
  ///
  /// The inner subscriptions belong to the outer one. Disposing of it disposes of them.
  public func flatMap<Result>(
    _ transform: @escaping (Element) -> Observable<Result>
  ) -> Observable<Result> {
    .create { observer in
      let flattening = Flattening(transform, into: observer)
      flattening.subscriptions.insert(self.onEvent(flattening.on))
      return flattening.subscriptions
    }
  }
}

private final class Flattening<Element, Result> {
  let subscriptions = CompositeDisposable()
  private let transform: (Element) -> Observable<Result>
  private let observer: AnyObserver<Result>
  private var running = 1

  init(_ transform: @escaping (Element) -> Observable<Result>, into observer: AnyObserver<Result>) {
    self.transform = transform
    self.observer = observer
  }

  func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): subscribe(to: transform(element))
    case .error(let error): fail(error)
    case .completed: end()
    }
  }

  private func subscribe(to inner: Observable<Result>) {
    running += 1
    var key: Int?
    var isOver = false
    let subscription = inner.onEvent { [self] event in
      switch event {
      case .next(let result): observer.onNext(result)
      case .error(let error): fail(error)
      case .completed:
        isOver = true
        if let key { subscriptions.remove(key) }
        end()
      }
    }
    if !isOver { key = subscriptions.insert(subscription) }
  }

  private func fail(_ error: any Error) {
    observer.onError(error)
    subscriptions.dispose()
  }

  private func end() {
    running -= 1
    if running == 0 { observer.onCompleted() }
  }
}

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
