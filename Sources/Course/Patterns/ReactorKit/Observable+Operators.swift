extension Observable {
  /// Ends at once.
  public static func empty() -> Observable<Element> {
    create { observer in
      observer.onCompleted()
      return Disposables.create()
    }
  }

  /// Sends nothing and never ends.
  public static func never() -> Observable<Element> { create { _ in Disposables.create() } }

  /// Sends one value and ends.
  public static func just(_ element: Element) -> Observable<Element> {
    create { observer in
      observer.onNext(element)
      observer.onCompleted()
      return Disposables.create()
    }
  }

  /// Sends the values of several observables, and ends with the last of them.
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
    Observable<Observable<Element>>.create { observer in
      for source in sources { observer.onNext(source) }
      observer.onCompleted()
      return Disposables.create()
    }
    .flatMap { $0 }
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
