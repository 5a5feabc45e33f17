import MemlabKit
import Synchronization

/// A shared value that stops its writers between their read and their write.
///
/// Changing a computed property is a read, the change and a write back. Here every read waits until
/// all writers have read, so all of them start from the same value. The storage is locked, so this
/// shows the lost update without undefined behaviour.
@propertyWrapper
final class Held<Value: Sendable>: Sendable {
  /// Where the writers wait for each other after their reads.
  let meeting: Rendezvous
  private let storage: Mutex<Value>

  /// A value that this many writers share. A single writer does not wait.
  init(_ value: Value, writers: Int) {
    storage = Mutex(value)
    meeting = Rendezvous(parties: writers)
  }

  /// The value as a writer sees it.
  var value: Value {
    get {
      let read = current
      meeting.wait()
      return read
    }
    set { storage.withLock { $0 = newValue } }
  }

  /// The property as a writer sees it.
  var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The current value, read without waiting.
  var current: Value { storage.withLock { $0 } }
}

/// A lock around a ``Held`` value.
///
/// A held value waits for all writers between its read and its write. Writers that wait for a lock
/// never get there, so a writer that finds the lock taken counts as arrived: the writer inside
/// continues when all others wait for the lock. Without the lock all of them meet inside.
final class WriterLock: Sendable {
  private let mutex = Mutex(())
  private let meeting: Rendezvous

  /// A lock for this value's writers.
  init<Value>(around held: Held<Value>) { meeting = held.meeting }

  /// Runs a change while no other writer can.
  func withLock(_ change: () -> Void) {
    if mutex.withLockIfAvailable({ _ in change() }) != nil { return }
    meeting.arrive()
    mutex.withLock { _ in change() }
  }
}

/// A sum that several threads add to.
final class SharedSum: Sendable {
  private let sum = Atomic(0)

  /// What has been added.
  var value: Int { sum.load(ordering: .relaxed) }

  /// Adds to the sum.
  func add(_ amount: Int) { sum.add(amount, ordering: .relaxed) }
}

/// The results of calls that each raise a number by one, starting from 1.
///
/// If two calls have the same result, one of the two updates is lost.
final class Results: Sendable {
  private let values = Mutex<[Int]>([])

  /// Adds what a call has returned.
  func add(_ value: Int) { values.withLock { $0.append(value) } }

  /// Enters the number of calls, the number of lost updates and the final number.
  func enter(into lab: Lab) {
    let values = values.withLock { $0 }
    lab.ledger.setMetrics([
      "writers": values.count, .lostUpdates: values.count - Set(values).count,
      "finalX": values.max() ?? 1,
    ])
  }
}

extension Lab {
  /// Passes a value to a body on several threads at once, as a step.
  ///
  /// - Parameters:
  ///   - count: how many threads.
  ///   - text: what is done, as a sentence without its full stop.
  ///   - value: what each thread gets, held no longer than the step's action lasts.
  ///   - note: what is noted each time that the body has returned; nil for nothing.
  ///   - file: where the step is written.
  ///   - line: where in that file.
  ///   - body: what each thread does.
  func onThreads<Value>(
    _ count: Int, _ text: String, with value: @autoclosure () -> Value, noting note: String? = nil,
    file: String = #fileID, line: Int = #line, _ body: @escaping (Value) -> Void
  ) throws {
    try step(text, file: file, line: line) {
      nonisolated(unsafe) let (value, body) = (value(), body)
      onThreads(count) { _ in
        body(value)
        note.map(self.ledger.note)
      }
    }
  }
}
