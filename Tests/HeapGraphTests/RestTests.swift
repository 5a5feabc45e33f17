import Dispatch
import Glibc
import HeapGraph
import Synchronization
import Testing

@Suite("Threads that look for work") struct RestTests {
  private final class Worker: Sendable {
    let id = Atomic(0)
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
  }

  // As a worker of a pool does: it gives way for a while before it waits.
  @Test("are at rest when one has waited for that") func rest() throws {
    let worker = Worker()
    let thread = try #require(
      SystemThread {
        worker.id.store(ProcessThread.current, ordering: .relaxed)
        worker.hasBegun.signal()
        for _ in 0..<100 { sched_yield() }
        worker.mayEnd.wait()
      })
    worker.hasBegun.wait()
    ProcessThread.letOthersComeToRest()
    let isAtRest = ProcessThread(id: worker.id.load(ordering: .relaxed)).isAtRest
    worker.mayEnd.signal()
    thread.join()
    #expect(isAtRest)
  }

  @Test("are not waited for when they go on") func busy() throws {
    let flag = Flag()
    let thread = try #require(SystemThread { while !flag.isRaised.load(ordering: .relaxed) {} })
    ProcessThread.letOthersComeToRest()
    flag.isRaised.store(true, ordering: .relaxed)
    thread.join()
  }

  private final class Flag: Sendable {
    let isRaised = Atomic(false)
  }
}
