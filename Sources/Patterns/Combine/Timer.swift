#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Foundation's timer, as far as document 003 uses it.
public enum Timer {
  /// Publishes the time at every interval, once it is connected. It never finishes.
  ///
  /// - Parameters:
  ///   - interval: in seconds.
  ///   - runLoop: what it is attached to, and so held by, while it is connected.
  ///   - mode: there is one.
  public static func publish(
    every interval: TimeInterval, on runLoop: RunLoop, in mode: RunLoop.Mode
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop)
  }

  /// The publisher of a timer.
  public final class TimerPublisher: ConnectablePublisher {
    /// The time at which it fires.
    public typealias Output = Date
    /// It cannot fail.
    public typealias Failure = Never

    private let interval: TimeInterval
    private let runLoop: RunLoop
    private let subject = PassthroughSubject<Date, Never>()

    init(interval: TimeInterval, runLoop: RunLoop) {
      self.interval = interval
      self.runLoop = runLoop
    }

    /// Begins to deliver to this subscriber, once it is connected.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }

    /// Attaches the timer to its run loop.
    ///
    /// - Returns: what takes it off again.
    public func connect() -> any Cancellable {
      runLoop.schedule(every: interval) { [subject] date in subject.send(date) }
    }
  }
}
