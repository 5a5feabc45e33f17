#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
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
