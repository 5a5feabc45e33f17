import Dispatch
import Glibc
import LeakCheck
import Testing

/// A leak in a process whose threads without work have an address of the program's code in their
/// memory, as a call that has returned may leave it behind.
@Suite("Idle threads", .enabled(if: Fixture.isOn)) struct IdleFixtures {
  @Test func leaksBesideThem() async {
    await leaveCodeOnTwoThreads()
    await expectNoLeaks(within: .seconds(20)) {
      let album = watch(Album())
      album.next = album
    }
  }

  // Two, for one of them may take the look. A thread's own variables lie above its stack.
  private func leaveCodeOnTwoThreads() async {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    let isHere = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    await withTaskGroup { group in
      for place in 0...1 {
        group.addTask { [key] in
          let code: @convention(c) () -> Void = {}
          pthread_setspecific(key, unsafeBitCast(code, to: UnsafeRawPointer.self))
          isHere[place].signal()
          wait(for: isHere[1 - place])
        }
      }
    }
  }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

// Of a size that nothing else has: the address of something that is gone may stand anywhere.
private final class Album {
  private let pages = InlineArray<40, Int>(repeating: 0)
  var next: Album?
}
