import MemlabHeapModel
import MemlabHeapReader
import Synchronization
import Testing

extension HeapWitness {
  @Suite("A task that lets others go first") struct YieldTests {
    @Test("is told from one that waits for somebody") func yields() async throws {
      let executor = StepExecutor()
      let (address, gate) = (Mailbox(), Gate())
      HeapRecording.start()
      defer { HeapRecording.stop() }
      let task = Task(name: "polite", executorPreference: executor) {
        address.noteCurrentTask()
        await Task.yield()
        await gate.wait()
      }
      executor.runOne()
      let start = try #require(address.value)
      #expect(AsyncBacktrace(ofTask: start)?.suspendedIn == "Task.yield()")
      #expect(try isYielding(named: "polite"))
      executor.runAll()
      #expect(AsyncBacktrace(ofTask: start)?.suspendedIn != "Task.yield()")
      #expect(try !isYielding(named: "polite"))
      gate.open()
      executor.runAll()
      await task.value
    }

    private func isYielding(named name: String) throws -> Bool {
      let task = try HeapSnapshot.take().tasks(named: [name]).first
      return try #require(task).isYielding
    }
  }
}

/// Keeps jobs until the test runs them.
private final class StepExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func runOne() {
    let job = jobs.withLock { $0.removeFirst() }
    job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func runAll() { while jobs.withLock({ !$0.isEmpty }) { runOne() } }
}
