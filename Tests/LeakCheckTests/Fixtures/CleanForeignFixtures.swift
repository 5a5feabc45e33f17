import Dispatch
import Foundation
import Glibc
import LeakCheck
import Testing

/// What is known in places that nobody can look into, and goes all the same.
extension CleanFixtures {
  // Its one reference is in pages that are not the allocator's; what the check's own frames still
  // have of the body must not count as it.
  @Test func retainedInOwnPages() async {
    for _ in 0..<Self.rounds / 10 + 1 {
      await expectNoLeaks {
        let clock = watch(Clock())
        let shelf = Shelf()
        shelf.put(clock)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { shelf.clear() }
      }
    }
  }

  // Who is to be resumed stands in the kernel's table, and nowhere else.
  @Test func onlyTheKernelKnows() async {
    for _ in 0..<Self.rounds / 10 + 1 {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          await withUnsafeContinuation { resumeByKernel($0, after: .milliseconds(100)) }
          clock.time = 1
        }
      }
    }
  }
}

private func resumeByKernel(
  _ waiter: UnsafeContinuation<Void, Never>, after delay: DispatchTimeInterval
) {
  var ends: [CInt] = [0, 0]
  pipe(&ends)
  let (input, output) = (ends[0], ends[1])
  let epoll = Epoll()
  epoll.add(input, unsafeBitCast(waiter, to: UInt.self))
  Thread.detachNewThread {
    let waiter = unsafeBitCast(epoll.wait(), to: UnsafeContinuation<Void, Never>.self)
    close(input)
    epoll.end()
    waiter.resume()
  }
  DispatchQueue.global().asyncAfter(deadline: .now() + delay) { close(output) }
}

/// A page with room for one object.
private struct Shelf: @unchecked Sendable {
  private static let size = 4096
  private let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)

  func put(_ object: AnyObject) {
    page?.storeBytes(
      of: Unmanaged.passRetained(object).toOpaque(), as: UnsafeMutableRawPointer.self)
  }

  func clear() {
    guard let page else { return }
    Unmanaged<AnyObject>.fromOpaque(page.load(as: UnsafeMutableRawPointer.self)).release()
    munmap(page, Self.size)
  }
}
