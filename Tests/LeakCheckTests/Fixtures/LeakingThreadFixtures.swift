import Dispatch
import Foundation
import Glibc
import LeakCheck
import Testing

/// What a thread keeps that waits in the middle of somebody's code.
extension LeakingFixtures {
  @Test func keptByAThread() async {
    let end = DispatchSemaphore(value: 0)
    await expectNoLeaks(within: .seconds(2)) {
      keep(watch(Clock()), until: end)
    }
    end.signal()
  }

  @Test func ringOfAThread() async {
    let end = DispatchSemaphore(value: 0)
    await expectNoLeaks(within: .seconds(2)) {
      let clock = watch(Clock())
      clock.partner = clock
      keep(clock, until: end)
    }
    end.signal()
  }

  private func keep(_ clock: Clock, until end: DispatchSemaphore) {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // Foundation's own setter does nothing when the new thread is faster than the one that made it,
      // and a thread without a name has that of the queue's thread that made it.
      FileHandle(forWritingAtPath: "/proc/thread-self/comm")?.write(Data("keeper".utf8))
      begun.signal()
      end.wait()
      clock.partner = nil
    }
    begun.wait()
  }
}
