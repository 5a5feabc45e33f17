import MemlabPlatform
import MemlabRuntimeABI

/// The job of a task, and the executor that means the runtime's own thread pool.
struct JobPlanting: Planting {
  private let executor = PlantedExecutor()
  private let task: Task<Void, Never>
  private let jobs: [UInt]
  private let identity = PlantedIdentity()

  /// Plants a task that is enqueued and does not run.
  init() {
    task = Task.detached(executorPreference: executor) {}
    jobs = executor.waiting
    executor.run()
    // A thread of no task and no actor's runs on the generic executor.
    let identity = identity
    SystemThread { identity.note() }?.join()
  }

  func compare(_ findings: inout ProbeFindings) {
    let start = address(of: task)
    findings.expect("jobs.offset", jobs == [start &+ abi.jobs.offset])
    guard let word = identity.word else { return }
    findings.expect("jobs.genericExecutor", word == abi.jobs.genericExecutor)
  }
}
