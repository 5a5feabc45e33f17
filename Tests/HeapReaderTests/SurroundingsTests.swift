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
          let ask = { surroundings.ways(to: address) }
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
      let ways = try [
        (true, true, true), (true, false, true), (false, true, true), (false, false, true),
        (false, true, false),
      ].map { runs, knows, canBeWoken in
        try recorded {
          let hidden = ~UInt(bitPattern: Knot.ring().toOpaque())
          let keeper = Keeper(runs: runs, complement: knows ? hidden : 0)
          globalKeeper = canBeWoken ? keeper : nil
          defer { keeper.end() }
          return try HeapSnapshot.take { _, around in around.ways(to: ~hidden) }.1
        }
      }
      #expect(ways == [.found, .none, .found, .none, .none])
    }
  }

  @Test("is asked through tasks that nothing could reach before, and through no others") func lost()
    async
  {
    await #expect(processExitsWith: .success) {
      let ways = try recorded {
        let hidden = ~Hidden(inTaskNamed: "lost").address
        _ = try snapshot(withSuspended: ["lost"])
        return try HeapSnapshot.take { snapshot, surroundings in
          let ask = { surroundings.ways(to: ~hidden) }
          let (before, tasks) = (ask(), snapshot.tasks(named: ["lost"]))
          _ = surroundings.incomingPaths(
            to: [], objects: [~hidden], waiting: [tasks[0].address], observers: [:])
          #expect(surroundings.abandoned == [], "the task that waits keeps it")
          let own = surroundings.incomingPaths(to: tasks, objects: [], waiting: [], observers: [:])
          surroundings.lost = surroundings.abandoned
          return [before, own, ask()]
        }.1
      }
      #expect(ways == [.found, .none, .none])
    }
  }

  @Test("is not led to by what an earlier check watches, nor by a key of the test library's cache")
  func watched() async {
    await #expect(processExitsWith: .success) {
      let place = SourceLocation(
        fileID: "Module/File.swift", filePath: "File.swift", line: 1, column: 1)
      let ask = { (keep: (UInt) -> Any, isReported: Bool) in
        try recorded {
          let hidden = ~UInt(bitPattern: Knot.ring().toOpaque())
          let kept = keep(~hidden)
          defer { withExtendedLifetime(kept) {} }
          return try HeapSnapshot.take { _, surroundings in
            surroundings.reported = isReported ? [~hidden] : []
            return surroundings.ways(to: ~hidden)
          }.1
        }
      }
      let ways = try [
        ask(WeakBox.init, false), ask(WeakBox.init, true),
        ask({ [place: $0] }, false), ask({ [$0: place] }, false),
      ]
      #expect(ways == [.found, .none, .none, .found])
    }
  }

  @Test("does not know calls that libdispatch has made, and keeps") func calls() async {
    await #expect(processExitsWith: .success) {
      // How many there are, what the last is numbered, and whether somebody knows the first.
      let ways = try [(9, 1, false), (7, 1, false), (9, 2, false), (9, 1, true)].map {
        count, last, isKnown in
        try recorded {
          let object = ~UInt(bitPattern: Knot.ring().toOpaque())
          let calls = (0..<count).map { _ in
            ~UInt(bitPattern: UnsafeMutablePointer<UInt>.allocate(capacity: 8))
          }
          for (place, call) in calls.enumerated() {
            let words = try #require(UnsafeMutablePointer<UInt>(bitPattern: ~call))
            words.update(repeating: 0, count: 8)
            words[1] = UInt(count - place - 1 + last)
            words[2] = place + 1 < count ? ~calls[place + 1] : 0
            words[5] = place == 3 ? ~object : 0
          }
          globalNumber = isKnown ? ~calls[0] : 0
          return try HeapSnapshot.take { $1.ways(to: ~object) }.1
        }
      }
      #expect(ways == [.none, .found, .found, .found])
    }
  }

  @Test("is exact where no other thread has run meanwhile") func exact() async {
    await #expect(processExitsWith: .success) {
      // Beside a thread that has to be stopped, or not, and that runs meanwhile, or not.
      let isExact = try [(false, false), (false, true), (true, false), (true, true)].map {
        isStopped, runs in
        try recorded {
          let hidden = ~UInt(bitPattern: Knot.ring().toOpaque())
          let keeper = isStopped ? Keeper(runs: false, complement: 0) : nil
          defer { keeper?.end() }
          return try HeapSnapshot.take { _, surroundings in
            if runs { keeper?.turn() ?? runOnOtherThread() }
            // The second question sees that the first has stopped a thread.
            return (0..<2).allSatisfy { _ in
              surroundings.ways(to: ~hidden) == .none && surroundings.isExact
            }
          }.1
        }
      }
      #expect(isExact == [true, false, true, false])
    }
  }

  @Test("is nothing where no task and no object of a test is left") func clean() async {
    await #expect(processExitsWith: .success) {
      let isClean = try recorded {
        let (begin, own) = (HeapMoment(), "HeapReaderTests")
        let ask = { (modules: Set) in try Survey.isNothingLeft(since: begin, outside: modules) }
        let before = try ask([])
        let leaf = Unmanaged.passRetained(Leaf())
        let beside = [try ask([]), try ask([own])]
        leaf.release()
        _ = Hidden(inTaskNamed: "lost")
        _ = try snapshot(withSuspended: ["lost"])
        // The wait for it has left objects of the reader's and of Swift's.
        let others = ["MemlabHeapModel", "MemlabHeapReader", "MemlabHeapScan", "Swift"]
        return [before] + beside + [try ask(Set([own] + others))]
      }
      #expect(isClean == [true, false, true, false])
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
                surroundings.work(since: begin, besidesWhatLeadsTo: $0, andNotTo: $1) == .block
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

  @Test("is one's own work where a queue calls one's own block, whatever else is on the stack")
  func ownBlock() async {
    await #expect(processExitsWith: .success) {
      let isAtWork = try recorded {
        let (others, begin) = (Leaf(), HeapMoment())
        let other = Hidden(others).address
        let keeper = Keeper(runs: false, complement: ~other, onQueue: true)
        defer { withExtendedLifetime(others) { keeper.end() } }
        return try [begin, HeapMoment()].flatMap { begin in
          try HeapSnapshot.take { _, surroundings in
            [[], [other]].map {
              surroundings.work(since: begin, besidesWhatLeadsTo: $0) == .thread(nil)
            }
          }.1
        }
      }
      // The thread knows the other object. What it was called for is older than the second moment.
      #expect(isAtWork == [true, true, true, false])
    }
  }
}

private nonisolated(unsafe) var globalKeeper: Keeper?

/// A thread that runs or waits, and that may have the address of an object on its stack or in a register.
private final class Keeper: Sendable {
  private let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let isOver = Atomic(false)

  /// - Parameters:
  ///   - complement: of what the thread keeps.
  ///   - onQueue: whether it is a queue's thread.
  init(runs: Bool, complement: UInt, onQueue: Bool = false) {
    let run: @Sendable () -> Void = { [self] in keep(~complement, runs) }
    if onQueue { DispatchQueue.global().async(execute: run) } else { SystemThread(run)?.detach() }
    hasBegun.wait()
  }

  /// Lets the thread run, and waits until it waits again.
  func turn() {
    mayEnd.signal()
    hasBegun.wait()
    ProcessThread.letOthersComeToRest()
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
      while !isOver.load(ordering: .relaxed) {
        hasBegun.signal()
        mayEnd.wait()
      }
    }
    globalNumber = number
  }
}

/// Refers weakly to the knot at an address, from memory that is not recorded.
private final class WeakBox {
  private final class Place { weak var knot: Knot? }
  private let place = HeapRecording.withoutRecording { Unmanaged.passRetained(Place()) }

  init(_ address: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
    place.takeUnretainedValue().knot = Unmanaged<Knot>.fromOpaque(pointer).takeUnretainedValue()
  }
}

private func runOnOtherThread() {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async { done.signal() }
  done.wait()
}

extension HeapSurroundings {
  /// What leads to the object at an address.
  fileprivate func ways(to object: UInt) -> IncomingPaths {
    incomingPaths(to: [], objects: [object], waiting: [], observers: [:])
  }

  /// What may still run, but for what leads to some objects and not to others.
  fileprivate func work(
    since begin: HeapMoment, besidesWhatLeadsTo others: [UInt], andNotTo own: [UInt] = []
  ) -> PendingWork? {
    let work = work(leadingTo: others, andNotTo: own, orOf: [])
    return workPending(since: begin, besides: work, firingWithin: .seconds(5))
  }
}

/// Knows where an object is.
private struct Hidden {
  let address: UInt
  init(_ object: Leaf) { address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }

  /// Knows the object that a task of this name keeps, and nothing keeps the task.
  init(inTaskNamed name: String) {
    let leaf = Leaf()
    Task(name: name) {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      leaf.value += 1
    }
    self.init(leaf)
  }
}
