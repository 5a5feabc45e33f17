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
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
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
