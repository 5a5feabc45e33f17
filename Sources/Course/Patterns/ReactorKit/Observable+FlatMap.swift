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
