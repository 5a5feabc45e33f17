#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A thread of the operating system that runs one closure.
struct Thread {
  private let handle: pthread_t
  // Of the usual 8 MB, glibc keeps five for the next threads and maps the rest anew.
  private static let stackSize = 512 * 1024

  /// Starts a thread.
  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let code = pthread_create(&handle, &attributes, Thread.entry, box.toOpaque())
    guard code == 0 else { fatalError("no thread could be made: error \(code)") }
    #if canImport(Darwin)
      self.handle = handle!
    #else
      self.handle = handle
    #endif
  }

  /// Waits until the closure has returned.
  func join() {
    pthread_join(handle, nil)
  }

  private final class Body {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }

  #if canImport(Darwin)
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      { box in
        Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
        return nil
      }
  #else
    private static let entry:
      @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
        Unmanaged<Body>.fromOpaque(box!).takeRetainedValue().run()
        return nil
      }
  #endif
}
