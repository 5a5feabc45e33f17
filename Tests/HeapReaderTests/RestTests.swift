import Dispatch
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import Synchronization
import Testing

@Suite("Threads that look for work") struct RestTests {
  private final class Worker: Sendable {
    let id = Atomic(0)
    let hasBegun = DispatchSemaphore(value: 0)
    let finds = Atomic(false)
    let mayEnd = DispatchSemaphore(value: 0)

    /// As a worker of a pool does: it looks for a while before it waits.
    func look() {
      id.store(ProcessThread.current, ordering: .relaxed)
      hasBegun.signal()
      while !finds.load(ordering: .relaxed) {}
      mayEnd.wait()
    }

    var isAtRest: Bool { ProcessThread(id: id.load(ordering: .relaxed)).isAtRest }
  }

  @Test("are at rest when one has waited for that") func rest() throws {
    let worker = Worker()
    let thread = try #require(SystemThread { worker.look() })
    worker.hasBegun.wait()
    var turns = 0
    ProcessThread.letOthersComeToRest {
      turns += 1
      guard turns == 3 else { return }
      worker.finds.store(true, ordering: .relaxed)
      while !worker.isAtRest { sched_yield() }
    }
    #expect(turns >= 3)
    worker.finds.store(true, ordering: .relaxed)
    worker.mayEnd.signal()
    thread.join()
  }

  @Test("are not waited for when they go on") func busy() throws {
    let worker = Worker()
    let thread = try #require(SystemThread { worker.look() })
    worker.hasBegun.wait()
    var turns = 0
    ProcessThread.letOthersComeToRest { turns += 1 }
    #expect(turns == ProcessThread.maxYields)
    worker.finds.store(true, ordering: .relaxed)
    worker.mayEnd.signal()
    thread.join()
  }
}
