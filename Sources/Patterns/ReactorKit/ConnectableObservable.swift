/// An observable that sends nothing until it is connected, and then shares one subscription among
/// all of its observers.
public final class ConnectableObservable<Element>: Observable<Element> {
  private let upstream: Observable<Element>
  private let subject: PublishSubject<Element>

  init(_ upstream: Observable<Element>, through subject: PublishSubject<Element>) {
    self.upstream = upstream
    self.subject = subject
    super.init { subject.subscribe($0) }
  }

  /// Subscribes to the source on behalf of all observers.
  ///
  /// - Returns: the connection. Whoever throws it away can never disconnect.
  public func connect() -> any Disposable {
    upstream.onEvent(subject.on)
  }
}

extension Observable {
  /// Makes it connectable; the last value is repeated for whoever subscribes later.
  ///
  /// - Parameter bufferSize: how many values are repeated; one is all that this small Rx knows.
  public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
    precondition(bufferSize == 1, "only replay(1) is built here")
    return ConnectableObservable(self, through: ReplaySubject())
  }
}
