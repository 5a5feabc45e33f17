import MemlabHeapModel

/// The first witness: what the probes in the code under study have reported.
///
/// Counts objects by type and tasks by name. Objects are told apart by serial numbers and not by
/// addresses, which the allocator uses again. Safe from any thread.
public final class Ledger: Sendable {
  /// The ledger of the trial that the current code belongs to.
  ///
  /// As a task-local value it reaches every task that the trial creates, and no task of another
  /// trial. `Task.detached` and new threads do not inherit it.
  @TaskLocal public static var current: Ledger?

  /// Everything that was entered.
  struct State {
    /// The number of the next object.
    var nextSerial = 1
    /// The class of each object that is alive, by its number.
    var alive: [Int: String] = [:]
    /// The classes in the order of their first object.
    var types: [any AnyObject.Type] = []
    private var names: [ObjectIdentifier: String] = [:]
    /// What was counted, and the scenario's own figures.
    var totals = Totals()
    /// The figures that were set to two values.
    var rewritten: Set<Metric> = []
    /// How many changes there have been.
    var changes = 0
    /// The names of the scenario's variables, by their address.
    var variables: [UInt: String] = [:]
    /// Where someone waits for the next change.
    var changeAwaited: Rendezvous?

    fileprivate mutating func noteChange() {
      changes += 1
      changeAwaited?.arrive()
    }

    /// The name of a class; the first call adds it to ``types``.
    mutating func name(of type: any AnyObject.Type) -> String {
      if let known = names[ObjectIdentifier(type)] { return known }
      let name = TypeName.short(TypeName.qualified(type))
      types.append(type)
      names[ObjectIdentifier(type)] = name
      return name
    }
  }

  /// The entries, behind a lock.
  let state = Guarded(State())

  /// An empty ledger.
  package init() {}

  /// How many times anything was entered; grows with every entry.
  package var changes: Int { state.withLock { $0.changes } }

  /// Everything entered so far.
  public var totals: Totals { state.withLock { $0.totals } }

  /// The figures that were set to one value, and later to another.
  var rewritten: Set<Metric> { state.withLock { $0.rewritten } }

  /// The classes of all objects entered so far.
  var types: [any AnyObject.Type] { state.withLock { $0.types } }

  /// Makes an entry. The heap's recorder does not see the ledger's memory: it is memlab's, not the
  /// pattern's.
  ///
  /// - Parameter isChange: whether ``changes`` grows, and those who wait for a change are told.
  func enter<Result: Sendable>(
    isChange: Bool = true, _ entry: @Sendable (inout State) -> Result
  ) -> Result {
    HeapRecording.withoutRecording {
      state.withLock { state in
        defer { if isChange { state.noteChange() } }
        return entry(&state)
      }
    }
  }

  /// Blocks the calling thread, which must be the only one that waits, until something is entered or the
  /// time is over.
  ///
  /// - Parameters:
  ///   - changes: what ``changes`` was when the caller looked; if it has grown, this returns at once.
  ///   - milliseconds: how long to wait at most.
  package func waitForChange(after changes: Int, milliseconds: Int) {
    let change = Rendezvous(parties: 2)
    let isStill = state.withLock { state in
      if state.changes == changes { state.changeAwaited = change }
      return state.changes == changes
    }
    guard isStill else { return }
    change.wait(milliseconds: milliseconds)
    state.withLock { $0.changeAwaited = nil }
  }

  /// The ledger that probes in the current code report to.
  ///
  /// Traps when there is none: a probe outside of a trial would not be counted.
  ///
  /// - Parameter what: what was created, for the message.
  static func required(for what: @autoclosure () -> String) -> Ledger {
    guard let current else {
      fatalError("\(what()) was created outside of a trial; run it in Ledger.$current.withValue")
    }
    return current
  }

  // MARK: - Objects and tasks

  /// Enters that an object was created.
  ///
  /// - Parameter type: its class.
  /// - Returns: the object's serial number, from 1, for ``objectDeinitialized(_:)``.
  func objectCreated(_ type: any AnyObject.Type) -> Int {
    enter { state in
      let (name, serial) = (state.name(of: type), state.nextSerial)
      state.nextSerial += 1
      state.alive[serial] = name
      state.totals.objects[name].created += 1
      return serial
    }
  }

  /// Enters the `deinit` of an object.
  ///
  /// Traps when that object's `deinit` has been entered before: then memory is destroyed twice, and
  /// no later count can be trusted.
  func objectDeinitialized(_ serial: Int) {
    enter { state in
      guard let type = state.alive.removeValue(forKey: serial) else {
        fatalError("object #\(serial) was deinitialized twice")
      }
      state.totals.objects[type].deinitialized += 1
    }
  }

  /// Enters the creation of a task.
  func taskStarted(_ name: String) { enter { $0.totals.tasks[name].started += 1 } }

  /// Enters that a task's body has ended, even if its handle is still held.
  func taskFinished(_ name: String) { enter { $0.totals.tasks[name].finished += 1 } }

  // MARK: - Notes and figures

  /// Counts an event that the report should mention, such as "consumer received".
  ///
  /// The report shows it with the step in which it happened.
  public func note(_ what: String) { enter { $0.totals.notes[what].times += 1 } }

  /// How often this event was noted.
  public func notes(of what: String) -> Int { state.withLock { $0.totals.notes[what].times } }

  /// Sets a figure of the scenario's own, such as ``Metric/lostUpdates``.
  public func setMetric(_ name: Metric, _ value: Int) {
    enter { state in
      let earlier = state.totals.metrics.updateValue(value, forKey: name)
      if let earlier, earlier != value { state.rewritten.insert(name) }
    }
  }

  /// Sets several figures.
  public func setMetrics(_ figures: KeyValuePairs<Metric, Int>) {
    for (name, value) in figures { setMetric(name, value) }
  }
}
