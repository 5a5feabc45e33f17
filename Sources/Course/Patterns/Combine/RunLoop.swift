#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Holds timers, and fires those that are due when it runs.
///
/// The main thread runs Foundation's run loop. This one has its own clock. Run it with
/// ``run(until:)``, which takes no time, or with ``run(isolation:)``, which sleeps from one timer
/// to the next and so uses the same clock as `Task.sleep`. An app that has Foundation's run loop
/// and timer does not need this file.
public final class RunLoop: Sendable {
  /// What a run loop waits for. There is one mode.
  public struct Mode: Sendable {
    /// The only mode.
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

  /// The run loop of the current task and of all tasks that it starts. It is the process's run loop
  /// unless another was set with `RunLoop.$main.withValue`.
  @TaskLocal public static var main = RunLoop()

  private let state: Locked<State>

  /// A run loop without timers.
  ///
  /// - Parameter now: the time at which its clock begins.
  public init(now: Date = Date()) { state = Locked(State(now: now)) }

  /// The time of its clock.
  public var now: Date { state.withLock { $0.now } }

  /// How many timers are attached.
  public var timers: Int { state.withLock { $0.entries.count } }

  /// Runs until its clock shows a time, and fires each timer when it is due.
  public func run(until limit: Date) {
    while let due = takeDue(by: limit) { due.fire(due.due) }
    state.withLock { $0.now = max($0.now, limit) }
  }

  /// Runs until no timer is left, and sleeps between timers.
  ///
  /// - Parameter isolation: where the timers fire; the caller's own, unless told otherwise.
  /// - Throws: `CancellationError` if its task is cancelled.
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
  /// - Returns: a cancellable that detaches the timer.
  func schedule(every interval: TimeInterval, _ fire: @escaping (Date) -> Void) -> any Cancellable {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      let due = state.now.addingTimeInterval(interval)
      state.entries.append(Entry(id: state.nextID, interval: interval, due: due, fire: fire))
      return state.nextID
    }
    return AnyCancellable { [weak self] in self?.remove(id) }
  }

  /// The timer that is due first, unless it is due after the limit. It is due again one interval
  /// later.
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

/// A small part of Foundation's timer.
public enum Timer {
  /// Publishes the time at every interval, once it is connected. It never finishes.
  ///
  /// - Parameters:
  ///   - interval: in seconds.
  ///   - runLoop: the run loop that holds the timer while it is connected.
  ///   - mode: the only mode.
  public static func publish(
    every interval: TimeInterval, on runLoop: RunLoop, in mode: RunLoop.Mode
  ) -> TimerPublisher { TimerPublisher(interval: interval, runLoop: runLoop) }

  /// The publisher of a timer.
  public final class TimerPublisher: ConnectablePublisher {
    /// The time at which it fires.
    public typealias Output = Date
    /// It cannot fail.
    public typealias Failure = Never

    private let interval: TimeInterval
    private let runLoop: RunLoop
    private let subject = PassthroughSubject<Date, Never>()

    /// A timer that is not attached yet.
    init(interval: TimeInterval, runLoop: RunLoop) {
      self.interval = interval
      self.runLoop = runLoop
    }

    /// Begins to deliver to this subscriber after it is connected.
    public func receive(subscriber: some Subscriber<Date, Never>) {
      subject.receive(subscriber: subscriber)
    }

    /// Attaches the timer to its run loop.
    ///
    /// - Returns: a cancellable that detaches it.
    public func connect() -> any Cancellable {
      runLoop.schedule(every: interval) { [subject] date in subject.send(date) }
    }
  }
}
