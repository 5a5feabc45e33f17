/// Something that can be ended, such as a subscription.
///
/// As in RxSwift, and unlike Combine's `AnyCancellable`, dropping it ends nothing. Call
/// ``dispose()``, or put it into a ``DisposeBag``.
public protocol Disposable {
  /// Ends it. A second call does nothing.
  func dispose()
}

extension Disposable {
  /// Puts this into a bag, which disposes of it.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Ways to make a ``Disposable``.
public enum Disposables {
  /// One that does nothing.
  public static func create() -> any Disposable { AnonymousDisposable {} }

  /// One that runs an action, once.
  public static func create(with action: @escaping () -> Void) -> any Disposable {
    AnonymousDisposable(action)
  }
}

private final class AnonymousDisposable: Disposable {
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  func dispose() { action.take()?() }
}

/// Disposes of its contents in its deinit.
///
/// Open, so that a study can count its bags.
open class DisposeBag {
  private var disposables: [any Disposable] = []

  /// An empty bag.
  public init() {}

  deinit {
    for disposable in disposables { disposable.dispose() }
  }

  /// How many disposables have been put into it.
  public var count: Int { disposables.count }

  /// Puts a disposable into the bag.
  public func insert(_ disposable: any Disposable) { disposables.append(disposable) }
}

/// Several disposables that are disposed of together.
final class CompositeDisposable: Disposable {
  private var disposables: [Int: any Disposable] = [:]
  private var nextKey = 0
  private var isDisposed = false

  /// Adds one, or disposes of it at once if the group is already disposed of.
  ///
  /// - Returns: the key under which ``remove(_:)`` finds it.
  @discardableResult
  func insert(_ disposable: any Disposable) -> Int {
    let key = nextKey
    nextKey += 1
    if isDisposed { disposable.dispose() } else { disposables[key] = disposable }
    return key
  }

  /// Removes one without disposing of it.
  func remove(_ key: Int) { disposables[key] = nil }

  /// Disposes of all of them, and of later ones at once.
  func dispose() {
    isDisposed = true
    let disposables = exchange(&self.disposables, with: [:])
    for key in disposables.keys.sorted() { disposables[key]?.dispose() }
  }
}
