/// What an observable tells its observers.
public enum Event<Element> {
  /// The next value.
  case next(Element)
  /// The end, by a failure.
  case error(any Error)
  /// The end, without one.
  case completed

  /// Whether nothing can come after it.
  var isEnd: Bool {
    if case .next = self { return false }
    return true
  }
}

/// Where a source puts its events.
public struct AnyObserver<Element> {
  private let handler: (Event<Element>) -> Void

  /// An observer that passes every event to a closure.
  public init(_ handler: @escaping (Event<Element>) -> Void) { self.handler = handler }

  /// Tells of an event.
  public func on(_ event: Event<Element>) { handler(event) }
  /// Tells of a value.
  public func onNext(_ element: Element) { handler(.next(element)) }
  /// Tells of the end by a failure.
  public func onError(_ error: any Error) { handler(.error(error)) }
  /// Tells of the end.
  public func onCompleted() { handler(.completed) }
}

/// A sequence of events that begins anew for each subscription.
///
/// The part of Rx that document 001 needs, under RxSwift's names. It knows one thread: everything
/// happens in the call that sets it off.
public class Observable<Element> {
  private let source: (AnyObserver<Element>) -> any Disposable

  init(source: @escaping (AnyObserver<Element>) -> any Disposable) { self.source = source }

  /// An observable from what is to be done for each subscription.
  ///
  /// - Parameter subscribe: sends events to the observer now or later, and returns how to stop.
  public static func create(
    _ subscribe: @escaping (AnyObserver<Element>) -> any Disposable
  ) -> Observable<Element> {
    Observable(source: subscribe)
  }

  /// Begins to pass events to an observer.
  ///
  /// - Returns: how to stop. The subscription keeps itself until it is disposed of or an end has
  ///   come, whether anybody keeps this or not.
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

/// Holds its upstream, which holds the observer, which holds this: a circle on purpose, opened by
/// the end of the sequence or by `dispose()`. RxSwift has the same one.
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
