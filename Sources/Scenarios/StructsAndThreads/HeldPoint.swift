import MemlabKit
import Synchronization

/// A shared point whose writers are held between their read and their write.
///
/// Passing a computed property as `inout` is a read, the call and a write back. Here every read
/// waits until all writers have read, so all of them start from the same value. The storage is
/// locked: what is shown is the lost update, and no undefined behaviour.
final class HeldPoint: Sendable {
  private let storage: Mutex<StructInoutRace.Point>
  private let allHaveRead: Rendezvous

  /// A point that so many writers share.
  init(_ point: StructInoutRace.Point, writers: Int) {
    storage = Mutex(point)
    allHaveRead = Rendezvous(parties: writers)
  }

  /// The point as a writer sees it.
  var point: StructInoutRace.Point {
    get {
      let read = current
      allHaveRead.wait()
      return read
    }
    set { storage.withLock { $0 = newValue } }
  }

  /// The point as it is now, without waiting for anybody.
  var current: StructInoutRace.Point { storage.withLock { $0 } }
}

/// A sum that several threads add to.
final class SharedSum: Sendable {
  private let sum = Atomic(0)

  /// What has been added.
  var value: Int { sum.load(ordering: .relaxed) }

  /// Adds to the sum.
  func add(_ amount: Int) { sum.add(amount, ordering: .relaxed) }
}
