// One argument makes a document's task a counted one: `Task(probe: "forwarder") { … }`. The task
// also gets the name (SE-0469), by which the heap witness finds it.

extension Task where Failure == any Error {
  /// Creates a throwing task whose start and end are entered into the current trial's ledger.
  ///
  /// - Parameters:
  ///   - name: the name under which it is counted.
  ///   - operation: the body, as `Task.init` takes it. The task counts as finished when it returns
  ///     or throws, even if its handle is still held.
  @discardableResult
  public init(
    probe name: String,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) {
    let ledger = Ledger.required(for: "task \(name)")
    ledger.taskStarted(name)
    self.init(name: name) {
      defer { ledger.taskFinished(name) }
      return try await operation()
    }
  }
}

extension Task where Failure == Never {
  /// Creates a task whose start and end are entered into the current trial's ledger.
  ///
  /// - Parameters:
  ///   - name: the name under which it is counted.
  ///   - operation: the body, as `Task.init` takes it. The task counts as finished when it returns,
  ///     even if its handle is still held.
  @discardableResult
  public init(
    probe name: String,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async -> Success
  ) {
    let ledger = Ledger.required(for: "task \(name)")
    ledger.taskStarted(name)
    self.init(name: name) {
      defer { ledger.taskFinished(name) }
      return await operation()
    }
  }
}
