import Dispatch
import MemlabAbandonment
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import Synchronization
import Testing

/// In processes of their own: threads of other tests would be a reason to doubt.
@Suite("What surrounds an object") struct SurroundingsTests {
  @Test("is asked again after the threads: what they had may be back in memory")
  func again() async {
    await #expect(processExitsWith: .success) {
      let ways = try recorded {
        // Nothing but itself keeps it, until somebody puts its address back.
        let (knot, word) = (Knot.ring(), UnsafeMutablePointer<UInt>.allocate(capacity: 2))
        (word[0], word[1]) = (0, 0)
        globalNumber = UInt(bitPattern: word)
        let address = UInt(bitPattern: knot.toOpaque())
        return try HeapSnapshot.take { _, surroundings in
          let ask = {
            surroundings.incomingPaths(to: [], objects: [address], waiting: 0, observers: [:])
          }
          let before = ask()
          word[0] = address
          let meanwhile = ask()
          surroundings.readAgain()
          return [before, meanwhile, ask()]
        }.1
      }
      #expect(ways == [.none, .none, .found])
    }
  }

  @Test("is asked about in halves where something leads to one of several") func halves() async {
    await #expect(processExitsWith: .success) {
      let found = try recorded {
        // In the array, an address would be a way to the object.
        let hidden = (0..<5).map { _ in ~UInt(bitPattern: Knot.ring().toOpaque()) }
        let word = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
        (word[0], word[1]) = (~hidden[1], 0)
        globalNumber = UInt(bitPattern: word)
        return try HeapSnapshot.take { _, surroundings in
          surroundings.abandonedObjects(at: hidden.map { ~$0 }, waiting: 0, hasPatience: true)
            .objects.count
        }.1
      }
      #expect(found == 4)
    }
  }

  @Test("is known to a thread that runs or waits where its stack or its registers say so")
  func threads() async {
    await #expect(processExitsWith: .success) {
      let ways = try [(true, true), (true, false), (false, true), (false, false)].map {
        runs, knows in
        try recorded {
          let hidden = ~UInt(bitPattern: Knot.ring().toOpaque())
          let keeper = Keeper(runs: runs, complement: knows ? hidden : 0)
          defer { keeper.end() }
          return try HeapSnapshot.take { _, surroundings in
            surroundings.incomingPaths(to: [], objects: [~hidden], waiting: 0, observers: [:])
          }.1
        }
      }
      #expect(ways == [.found, .none, .found, .none])
    }
  }

  @Test("is another check's work where it leads to that check's objects, and to none of one's own")
  func others() async {
    await #expect(processExitsWith: .success) {
      let pending = try recorded {
        let (own, others, begin) = (Leaf(), Leaf(), HeapMoment())
        // Those that libdispatch had kept for later are not recorded.
        let timers = (0..<50).map { _ in DispatchSource.makeTimerSource() }
        defer { for timer in timers { timer.cancel() } }
        for timer in timers {
          timer.schedule(deadline: .now() + 600)
          timer.setEventHandler { withExtendedLifetime(others) {} }
          timer.activate()
        }
        let (place, other) = (Hidden(own).address, Hidden(others).address)
        // Another thread makes the timers wait.
        var pending: [Bool] = []
        repeat {
          pending = try withExtendedLifetime((own, others)) {
            try HeapSnapshot.take { _, surroundings in
              [([], []), ([other], []), ([other], [place]), ([place], []), ([other], [other])].map {
                let work = surroundings.work(leadingTo: $0, andNotTo: $1, orOf: [])
                return surroundings.workPending(
                  since: begin, besides: work, firingWithin: .seconds(5)) == .block
              }
            }.1
          }
        } while pending.first == false
        return pending
      }
      // The timers lead to the other object. They count unless that is another's, and not one's own.
      #expect(pending == [true, false, false, true, true])
    }
  }
}

/// A thread that runs or waits, and that may have the address of an object on its stack or in a register.
private final class Keeper: Sendable {
  private let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let isOver = Atomic(false)

  /// - Parameter complement: of what the thread keeps.
  init(runs: Bool, complement: UInt) {
    SystemThread { [self] in keep(~complement, runs) }?.detach()
    hasBegun.wait()
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
    mayEnd.signal()
  }

  @inline(never) private func keep(_ number: UInt, _ runs: Bool) {
    hasBegun.signal()
    if runs {
      while !isOver.load(ordering: .relaxed) {}
    } else {
      mayEnd.wait()
    }
    globalNumber = number
  }
}

/// Knows where an object is.
private struct Hidden {
  let address: UInt
  init(_ object: Leaf) { address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
}
