#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What timers are attached to: it holds them, and fires those that are due when it is turned.
///
/// Foundation's run loop is turned by the main thread. This one has a clock of its own and is turned
/// by whoever wants time to pass: with ``run(until:)``, which takes no time at all, or with
/// ``run(isolation:)``, which sleeps from one timer to the next and so follows whatever clock
/// `Task.sleep` follows. An app that has Foundation's run loop and timer needs neither this file nor
/// `Timer.swift`.
public final class RunLoop: Sendable {
  /// What a run loop may be waiting for; there is one mode.
  public struct Mode: Sendable {
    /// The mode that timers of document 003 ask for.
    public static let `default` = Mode()
  }

  private struct Entry {
    let id: Int
    let interval: TimeInterval
    var due: Date
    let fire: (Date) -> Void
  }

  private struct State {
    var now: Date
    var entries: [Entry] = []
    var nextID = 1
  }

  /// The run loop of the current task and of all that it starts: the process's, unless somebody has
  /// set another with `RunLoop.$main.withValue`.
  @TaskLocal public static var main = RunLoop()

  private let state: Locked<State>

  /// A run loop without timers.
  ///
  /// - Parameter now: the time at which its clock begins.
  public init(now: Date = Date()) {
    state = Locked(State(now: now))
  }

  /// What its clock shows.
  public var now: Date { state.withLock { $0.now } }

  /// How many timers are attached.
  public var timers: Int { state.withLock { $0.entries.count } }

  /// Turns until its clock shows a time, firing each timer whenever it is due.
  public func run(until limit: Date) {
    while let due = takeDue(by: limit) { due.fire(due.due) }
    state.withLock { $0.now = max($0.now, limit) }
  }

  /// Turns until no timer is left, sleeping from one to the next.
  ///
  /// - Parameter isolation: where the timers fire; the caller's own, unless told otherwise.
  /// - Throws: `CancellationError` when its task is cancelled.
  public func run(isolation: isolated (any Actor)? = #isolation) async throws {
    while let due = state.withLock({ $0.entries.map(\.due).min() }) {
      try await Task.sleep(for: .seconds(due.timeIntervalSince(now)))
      run(until: due)
    }
  }

  /// Attaches a timer.
  ///
  /// - Parameters:
  ///   - interval: in seconds, more than 0; the first time it fires is one interval from now.
  ///   - fire: called with the time at which it was due. Held until the timer is cancelled.
  /// - Returns: what takes the timer off again.
  func schedule(every interval: TimeInterval, _ fire: @escaping (Date) -> Void) -> any Cancellable {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      let due = state.now.addingTimeInterval(interval)
      state.entries.append(Entry(id: state.nextID, interval: interval, due: due, fire: fire))
      return state.nextID
    }
    return AnyCancellable { [weak self] in self?.remove(id) }
  }

  /// The timer that is due first, if that is not after the limit; it is due again an interval later.
  private func takeDue(by limit: Date) -> Entry? {
    state.withLock { state in
      let first = state.entries.indices.min { state.entries[$0].due < state.entries[$1].due }
      guard let first, state.entries[first].due <= limit else { return nil }
      let entry = state.entries[first]
      state.now = entry.due
      state.entries[first].due = entry.due.addingTimeInterval(entry.interval)
      return entry
    }
  }

  private func remove(_ id: Int) {
    let removed = state.withLock { state in
      state.entries.firstIndex { $0.id == id }.map { state.entries.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}
