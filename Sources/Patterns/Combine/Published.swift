/// A property of a class that publishes its changes.
///
/// `$property` is its publisher; the object's `objectWillChange` is told too. Both hear of a new
/// value before the property has it. From document 003.
@propertyWrapper
public struct Published<Value> {
  /// The publisher that `$property` stands for: the current value first, then each new one.
  public struct Publisher: Patterns.Publisher {
    /// What the property holds.
    public typealias Output = Value
    /// A property cannot fail.
    public typealias Failure = Never

    let subject: PublishedSubject<Value>

    /// Begins to deliver to this subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }
  }

  private let subject: PublishedSubject<Value>

  /// A property with this value.
  public init(wrappedValue: Value) {
    subject = PublishedSubject(wrappedValue)
  }

  /// The publisher. The setter does nothing; it is there for `assign(to: &$property)`.
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

  /// The property as its object sees it.
  public static subscript<Object: AnyObject>(
    _enclosingInstance object: Object,
    wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storage].subject.value }
    set { object[keyPath: storage].subject.send(newValue) }
  }
}

/// A property that an ``ObservableObject`` can find by looking at its own fields.
protocol ObservableProperty {
  /// What is told before the property changes.
  var objectWillChange: ObservableObjectPublisher? { get nonmutating set }
}

extension Published: ObservableProperty {
  var objectWillChange: ObservableObjectPublisher? {
    get { subject.objectWillChange.withLock { $0 } }
    nonmutating set { _ = subject.objectWillChange.exchange(newValue) }
  }
}
