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
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    subject.receive(subscriber: subscriber)
  }

  /// Announces a change.
  public func send() { subject.send() }
}
