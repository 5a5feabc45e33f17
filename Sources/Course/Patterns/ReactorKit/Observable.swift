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
