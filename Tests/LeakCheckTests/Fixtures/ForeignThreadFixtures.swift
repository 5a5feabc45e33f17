import Dispatch
import LeakCheck
import Synchronization
import Testing

/// What foreign code knows of a task, in its own manner.
extension ThreadFixtures {
  // As a library in C has its handles in a list: by the address of a member.
  @Test func knownByAMember() async {
    // Several times, for a thread that runs just then would be a reason to doubt.
    for _ in 0..<4 {
      await expectNoLeaks {
        let caller = watch(Caller())
        Task { await caller.wait() }
        let end = DispatchTime.now() + .milliseconds(500)
        DispatchQueue.global().asyncAfter(deadline: end) { Handle.callAll() }
      }
    }
  }
}

/// Waits for its handle, which knows it without owning it.
private final class Caller: @unchecked Sendable {
  private var waiter: UnsafeContinuation<Void, Never>?
  private var handle: UnsafeMutablePointer<Handle>?

  func wait() async {
    await withUnsafeContinuation { continuation in
      waiter = continuation
      handle = Handle.add(owner: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  func call() {
    handle = nil
    waiter?.resume()
  }
}

private struct Handle {
  var owner: UnsafeMutableRawPointer
  var link: UInt = 0

  private static let links = Mutex<[UInt]>([])
  private static let offset = UInt(MemoryLayout<Handle>.offset(of: \.link) ?? 0)

  static func add(owner: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Handle> {
    let handle = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    handle.initialize(to: Handle(owner: owner))
    links.withLock { $0.append(UInt(bitPattern: handle) + offset) }
    return handle
  }

  static func callAll() {
    let links = links.withLock { links in
      defer { links = [] }
      return links
    }
    for handle in links.compactMap({ UnsafeMutablePointer<Handle>(bitPattern: $0 - offset) }) {
      Unmanaged<Caller>.fromOpaque(handle.pointee.owner).takeUnretainedValue().call()
      handle.deallocate()
    }
  }
}
