import Glibc
import Synchronization

/// Threads that allocate, link and free without a pause.
final class Hammer: Sendable {
  final class Link {
    var next: Link?
    var words = [Int](repeating: 7, count: 20)
    init(next: Link?) { self.next = next }
  }

  private let isStopped = Atomic(false)
  private let threads = Mutex<[pthread_t]>([])

  init(threads count: Int) {
    for _ in 0..<count {
      var thread = pthread_t()
      pthread_create(&thread, nil, Hammer.body, Unmanaged.passRetained(self).toOpaque())
      threads.withLock { $0.append(thread) }
    }
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    for thread in threads.withLock({ $0 }) { pthread_join(thread, nil) }
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    let hammer = Unmanaged<Hammer>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue()
    while !hammer.isStopped.load(ordering: .acquiring) { hammer.round() }
    return nil
  }

  private func round() {
    var head: Link?
    for _ in 0..<50 { head = Link(next: head) }
    head?.words.append(contentsOf: [Int](repeating: 1, count: 100_000))
    free(malloc(1 << 20))
  }
}
