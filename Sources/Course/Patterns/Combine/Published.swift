/// A property of a class that publishes its changes.
///
/// `$property` is its publisher, and the object's `objectWillChange` publishes too. Both publish
/// before the property has the new value.
@propertyWrapper
public struct Published<Value> {
  /// The publisher that `$property` stands for: the current value first, then each new one.
  public struct Publisher: MemlabPatterns.Publisher {
    /// The value of the property.
    public typealias Output = Value
    /// A property cannot fail.
    public typealias Failure = Never

    /// The storage and the publisher.
    let subject: PublishedSubject<Value>

    /// Begins to deliver to this subscriber.
    public func receive(subscriber: some Subscriber<Value, Never>) {
      subject.receive(subscriber: subscriber)
    }
  }

  private let subject: PublishedSubject<Value>

  /// A property with this value.
  public init(wrappedValue: Value) { subject = PublishedSubject(wrappedValue) }

  /// The publisher. The setter does nothing; `assign(to: &$property)` needs it.
  public var projectedValue: Publisher {
    get { Publisher(subject: subject) }
    set {}
  }

  /// Only properties of classes can publish.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("not reached: the subscript takes its place") }
    set { fatalError("not reached: the subscript takes its place") }
  }

  /// The value of the property in its object.
  public static subscript<Object: AnyObject>(
    _enclosingInstance object: Object, wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storage].subject.value }
    set { object[keyPath: storage].subject.send(newValue) }
  }
}

/// A property that an ``ObservableObject`` can find by looking at its own fields.
protocol ObservableProperty {
  /// The publisher that is called before the property changes.
  var objectWillChange: ObservableObjectPublisher? { get nonmutating set }
}

extension Published: ObservableProperty {
  /// The publisher that is called before the property changes.
  var objectWillChange: ObservableObjectPublisher? {
    get { subject.objectWillChange.withLock { $0 } }
    nonmutating set { _ = subject.objectWillChange.exchange(newValue) }
  }
}

/// An object that announces each change of its published properties before it happens.
public protocol ObservableObject: AnyObject {
  /// The publisher that announces the changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes just before a property changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes just before a `@Published` property changes.
  ///
  /// It is created on first use and kept by the properties themselves, because a protocol extension
  /// has no storage. It does not hold the object.
  public var objectWillChange: ObservableObjectPublisher {
    let properties = publishedProperties(of: Mirror(reflecting: self))
    let known = properties.lazy.compactMap(\.objectWillChange).first
    let publisher = known ?? ObservableObjectPublisher()
    if known == nil {
      for property in properties { property.objectWillChange = publisher }
    }
    return publisher
  }

  private func publishedProperties(of mirror: Mirror) -> [any ObservableProperty] {
    let inherited = mirror.superclassMirror.map(publishedProperties) ?? []
    return inherited + mirror.children.compactMap { $0.value as? any ObservableProperty }
  }
}

/// Publishes that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
  /// No value, only the event.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never

  private let subject = PassthroughSubject<Void, Never>()

  /// A publisher without subscribers.
  public init() {}

  /// Delivers all later announcements.
  public func receive(subscriber: some Subscriber<Void, Never>) {
    subject.receive(subscriber: subscriber)
  }

  /// Announces a change.
  public func send() { subject.send() }
}

extension Publisher where Failure == Never {
  /// Writes each value to a published property as long as that property exists.
  ///
  /// It returns nothing, so nothing can be cancelled. Calling it twice makes two subscriptions.
  ///
  /// - Parameter published: the property's publisher, as in `assign(to: &$time)`.
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(PublishedSubscriber(subject: published.subject))
  }
}

/// The storage of a published property.
///
/// It owns the subscriptions of `assign(to:)` and cancels them in its deinit: together with its
/// object, unless a subscriber of `$property` still holds it.
final class PublishedSubject<Value>: Disconnecting {
  /// The publisher of the object that has the property.
  let objectWillChange = Locked<ObservableObjectPublisher?>(nil)
  /// The subscriptions.
  let conduits = Conduits<Value, Never>()
  private let current: Locked<Value>
  private let sources = Locked<[any Subscription]>([])

  /// A property with this value.
  init(_ value: Value) { current = Locked(value) }

  deinit {
    for source in sources.exchange([]) { source.cancel() }
  }

  /// The current value.
  var value: Value { current.withLock { $0 } }

  /// Delivers the current value, then each new one.
  func receive(subscriber: some Subscriber<Value, Never>) {
    conduits.add(subscriber, to: self)?.offer(value)
  }

  /// Announces a value, then stores it.
  func send(_ value: Value) {
    objectWillChange.withLock { $0 }?.send()
    conduits.send(value)
    _ = current.exchange(value)
  }

  /// Holds the subscription of an `assign(to:)`.
  func keep(_ source: any Subscription) {
    sources.withLock { $0.append(source) }
    source.request(.unlimited)
  }
}

/// The subscriber of `assign(to:)`. Its reference is weak, so the property decides how long it
/// receives values.
private final class PublishedSubscriber<Value>: Subscriber {
  private weak var subject: PublishedSubject<Value>?

  init(subject: PublishedSubject<Value>) { self.subject = subject }

  func receive(subscription: any Subscription) { subject?.keep(subscription) }

  func receive(_ value: Value) -> Subscribers.Demand {
    subject?.send(value)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
