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
