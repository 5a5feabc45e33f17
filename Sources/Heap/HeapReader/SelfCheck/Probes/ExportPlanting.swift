import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// What the concurrency library exports for debuggers, beside a task.
struct ExportPlanting: Planting {
  private let task = Task.detached(executorPreference: PlantedExecutor.shared) {}

  /// Runs the task that it plants, to its end.
  init() { PlantedExecutor.shared.run() }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.symbols
    let taskMetadata = exported(rows.taskMetadata)
    let known = Peek.word(address(of: task))
    findings.expect("symbols.taskMetadata", Peek.word(taskMetadata) == known)
    findings.expect("symbols.debugPrefix", taskMetadata != nil)
    findings.expect("symbols.slabMetadata", Peek.isInImage(Peek.word(exported(rows.slabMetadata))))
    let version = Peek.uint32(exported(rows.layoutVersion))
    findings.expect("symbols.layoutVersion", version != nil)
    findings.expect("task.version", version == abi.task.version)
    let size = Peek.word(exported(rows.taskSize))
    findings.expect("symbols.taskSize", size != nil)
    findings.expect("task.size", size == abi.task.size)
  }

  private func exported(_ name: String) -> UInt? {
    loaded_symbol(abi.symbols.debugPrefix + name).map { UInt(bitPattern: $0) }
  }
}
