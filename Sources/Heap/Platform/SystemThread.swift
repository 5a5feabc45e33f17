/// A thread of the operating system that runs one closure.
///
/// It has to be joined or detached once, or it keeps its stack when it has ended.
package struct SystemThread {
  private let handle: pthread_t

  /// Starts a thread; nil when the system makes no more.
  ///
  /// - Parameters:
  ///   - stackSize: in bytes; the system's own choice when nil.
  ///   - body: what it runs.
  package init?(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    let code = pthread_create(
      &handle, &attributes,
      { box in
        let body: UnsafeMutableRawPointer? = box
        Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    let started: pthread_t? = handle
    guard code == 0, let started else {
      box.release()
      return nil
    }
    self.handle = started
  }

  /// Waits until the closure has returned.
  package func join() { pthread_join(handle, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(handle) }

  private final class Body {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
