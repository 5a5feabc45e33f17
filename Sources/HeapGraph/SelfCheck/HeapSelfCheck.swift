import CProcessAccess
import RuntimeABI

/// Finds out whether the heap trace can be trusted in this process.
///
/// The layout of tasks and objects is the runtime's own business and changes between releases. So
/// the check plants a graph whose answers are known and reads it back; a trace that gets any of
/// them wrong is not to be used.
public enum HeapSelfCheck {
  /// Plants a graph, takes a snapshot and compares.
  ///
  /// Covers a cycle of two objects, a task that is suspended and holds an object, a closure's
  /// capture, weak and unowned references, an array, an enum's payload and a lazy property.
  /// Starts the recorder where it is off, and then stops it at the end.
  ///
  /// - Parameters:
  ///   - patience: how long the planted task may take to be where it should be, twice; in real time,
  ///     also where the C library's clocks are stopped.
  ///   - drain: lets the planted task run. Called once, and then until the task is where it should
  ///     be: an executor of one's own runs its queue, on the cooperative pool `{ sched_yield() }`
  ///     will do.
  /// - Throws: ``HeapError/unrecordable(_:)`` when this build has no recorder, and
  ///   ``HeapError/unknownRuntime(_:)`` when anything is read back otherwise than it was planted.
  public static func run(patience: Duration = .seconds(120), drain: () -> Void) throws {
    if let obstacle = HeapRecording.obstacle { throw HeapError.unrecordable(obstacle) }
    try checkExports()
    let isOwner = !HeapRecording.isOn
    if isOwner { HeapRecording.start() }
    defer { if isOwner { HeapRecording.stop() } }
    let graph = PlantedGraph()
    let task = PlantedTask()
    defer { graph.breakCycle() }
    do {
      try wait("suspended", patience, drain) { task.isSuspended }
      try withExtendedLifetime(graph.top) { try check(graph, task, HeapSnapshot.take()) }
    } catch {
      task.resume()
      drain()
      throw error
    }
    task.resume()
    try wait("finished", patience, drain) { task.isFinished }
  }

  /// Checks what the concurrency library exports for debuggers.
  static func checkExports() throws {
    guard let symbols = RuntimeSymbols.current else {
      throw HeapError.unknownRuntime("libswift_Concurrency does not export its layout")
    }
    guard symbols.layoutVersion == abi.task.version else {
      throw HeapError.unknownRuntime(
        "its layout version is \(symbols.layoutVersion), not \(abi.task.version)")
    }
    guard symbols.taskSize == abi.task.size else {
      throw HeapError.unknownRuntime("a task has \(symbols.taskSize) bytes, not \(abi.task.size)")
    }
  }

  private static func wait(
    _ state: String, _ patience: Duration, _ drain: () -> Void, until isReached: () -> Bool
  ) throws {
    let start = real_nanoseconds()
    while true {
      drain()
      if isReached() { return }
      guard .nanoseconds(Int64(real_nanoseconds() - start)) < patience else {
        throw HeapError.unknownRuntime("the planted task is not seen to be \(state)")
      }
    }
  }

  private static func check(
    _ graph: PlantedGraph, _ task: PlantedTask, _ snapshot: HeapSnapshot
  ) throws {
    let reading = PlantedReading(graph: graph, snapshot: snapshot)
    try reading.expectCycle()
    try reading.expectEdge("watched", .field, "partner")
    try reading.expectEdge("payload", .field, "payload")
    try reading.expectEdge("late", .field, "late")
    try reading.expectEdge("listed", .element, "1")
    try reading.expectEdge("captured", .capture, nil)
    try reading.expectTask(holding: task.held)
  }
}
