/// An object that announces each change of its published properties before it happens.
public protocol ObservableObject: AnyObject {
  /// What announces the changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Publishes just before a property changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Publishes just before a `@Published` property changes.
  ///
  /// Made when it is first asked for and kept by the properties themselves: a protocol extension
  /// has no place to store it. It does not retain the object.
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
  /// Nothing but the fact.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never

  private let subject = PassthroughSubject<Void, Never>()

  /// A publisher that nobody is subscribed to.
  public init() {}

  /// Delivers all announcements from now on.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    subject.receive(subscriber: subscriber)
  }

  /// Announces a change.
  public func send() {
    subject.send()
  }
}
