import MemlabHeapModel

extension Lab {
  /// Runs an async action in a task of its own, then waits until all tasks are at rest.
  ///
  /// ```swift
  /// let store = try lab.awaiting("the store is opened") { try await Store.open() }
  /// ```
  ///
  /// - Parameters:
  ///   - text: what is done, as a sentence without its full stop.
  ///   - file: where the step is written.
  ///   - line: where in that file.
  ///   - action: what is done. Its task is not counted, and has to end in this step.
  /// - Returns: what the action returns.
  /// - Throws: what the action throws; an error that says so where it still waits when all tasks
  ///   are at rest.
  @discardableResult
  public func awaiting<Value>(
    _ text: String, file: String = #fileID, line: Int = #line,
    _ action: sending @escaping () async throws -> sending Value
  ) throws -> sending Value {
    let errand = HeapRecording.withoutRecording { Errand<Value>() }
    errand.action = action
    func start() { Task { await errand.run() } }
    try step(
      text, until: { errand.isDone }, onOtherThreads: true, file: file, line: line, start)
    do {
      return try errand.value(of: text)
    } catch {
      try rethrow(error)
    }
  }
}

/// An action that is called once, in a task, and what it has returned or thrown.
private final class Errand<Value>: @unchecked Sendable {
  var action: (() async throws -> sending Value)?
  // Until the ending has it, it stands in a variable, as what the ending holds does.
  private let result = Guarded<Result<Variable<Value>, any Error>?>(nil)

  var isDone: Bool { result.withLock { $0 != nil } }

  func run() async {
    guard let action else { return }
    self.action = nil
    do {
      let value = Variable(wrappedValue: try await action(), "result")
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
  }

  func value(of step: String) throws -> sending Value {
    nonisolated(unsafe) let taken = result.withLock { $0 }
    result.withLock { $0 = nil }
    guard let taken else { throw StillWaiting(step: step) }
    return try taken.get().wrappedValue
  }
}

/// An action has not ended when everything is at rest.
struct StillWaiting: Error, CustomStringConvertible {
  /// What the action does.
  let step: String

  /// A sentence without its full stop.
  var description: String {
    "the async action of \"\(step)\" still waits when all tasks are at rest; start what is to go on "
      + "in a Task(probe:)"
  }
}
