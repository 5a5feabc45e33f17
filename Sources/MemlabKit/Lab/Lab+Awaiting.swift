import HeapGraph

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
    let outcome = HeapRecording.withoutRecording { Outcome<Value>() }
    // The step calls it once, and nobody else has it.
    nonisolated(unsafe) let action = action
    func start() { Task { await outcome.take(action) } }
    try step(
      text, until: { outcome.isThere }, onOtherThreads: true, file: file, line: line, start)
    return try outcome.value(of: text)
  }
}

/// What an action has returned or thrown.
private final class Outcome<Value>: @unchecked Sendable {
  private let result = Guarded<Result<Value, any Error>?>(nil)

  var isThere: Bool { result.withLock { $0 != nil } }

  func take(_ action: sending () async throws -> sending Value) async {
    do {
      let value = try await action()
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
  }

  func value(of step: String) throws -> sending Value {
    nonisolated(unsafe) let taken = result.withLock { $0 }
    result.withLock { $0 = nil }
    guard let taken else { throw StillWaiting(step: step) }
    return try taken.get()
  }
}

/// An action has not ended when everything is at rest.
private struct StillWaiting: Error, CustomStringConvertible {
  let step: String

  var description: String {
    "the async action of \"\(step)\" still waits when all tasks are at rest; start what is to go on "
      + "in a Task(probe:)"
  }
}
