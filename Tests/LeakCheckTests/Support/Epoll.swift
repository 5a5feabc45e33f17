import Glibc

/// Linux's way to wait for descriptors, which Swift's `Glibc` module does not declare.
struct Epoll {
  // `epoll_event` is packed on x86-64, and nowhere else: its word may stand at any address there.
  // https://man7.org/linux/man-pages/man2/epoll_ctl.2.html
  #if arch(x86_64)
    private static let wordOffset = 4
  #else
    private static let wordOffset = 8
  #endif
  private static let eventSize = wordOffset + MemoryLayout<UInt>.size
  private let file = function("epoll_create1", as: (@convention(c) (CInt) -> CInt).self)(0)

  /// Remembers a word with a descriptor that is to be read.
  func add(_ descriptor: CInt, _ word: UInt) {
    typealias Control = @convention(c) (CInt, CInt, CInt, UnsafeMutableRawPointer) -> CInt
    withUnsafeTemporaryAllocation(byteCount: Self.eventSize, alignment: 8) { event in
      event.storeBytes(of: 1, as: UInt32.self)
      event.storeBytes(of: word, toByteOffset: Self.wordOffset, as: UInt.self)
      _ = Self.function("epoll_ctl", as: Control.self)(file, 1, descriptor, event.baseAddress!)
    }
  }

  /// Waits for one of them, and says its word.
  func wait() -> UInt {
    typealias Wait = @convention(c) (CInt, UnsafeMutableRawPointer, CInt, CInt) -> CInt
    let wait = Self.function("epoll_wait", as: Wait.self)
    return withUnsafeTemporaryAllocation(byteCount: Self.eventSize, alignment: 8) { event in
      while wait(file, event.baseAddress!, 1, -1) != 1 {}
      return event.loadUnaligned(fromByteOffset: Self.wordOffset, as: UInt.self)
    }
  }

  func end() { close(file) }

  /// A descriptor that can be read once its time has come.
  static func makeTimer() -> CInt {
    typealias Make = @convention(c) (CInt, CInt) -> CInt
    return function("timerfd_create", as: Make.self)(CLOCK_MONOTONIC, 0)
  }

  /// Sets such a descriptor's time.
  static func set(_ timer: CInt, toFireIn time: Duration) {
    typealias Set =
      @convention(c) (CInt, CInt, UnsafePointer<itimerspec>, UnsafeRawPointer?) -> CInt
    var value = itimerspec()
    value.it_value.tv_nsec = Int(time / .nanoseconds(1))
    _ = function("timerfd_settime", as: Set.self)(timer, 0, &value, nil)
  }

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
    unsafeBitCast(dlsym(nil, name), to: type)
  }
}
