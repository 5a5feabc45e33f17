import Foundation
import MemlabKit
import Synchronization
import TestSupport
import Testing

@Suite("The ledger") struct LedgerTests {
  final class Owner: Sendable { private let probe = Probe(Owner.self) }

  private final class Hidden: Sendable { private let probe = Probe(Hidden.self) }

  @Test("counts an object while it lives and after") func objects() {
    let ledger = Ledger()
    Ledger.$current.withValue(ledger) {
      var owner: Owner? = Owner()
      #expect(ledger.totals.object("Owner") == ObjectCount("Owner", created: 1, deinitialized: 0))
      withExtendedLifetime(owner) {}
      owner = nil
    }
    #expect(ledger.totals.object("Owner") == ObjectCount("Owner", created: 1, deinitialized: 1))
    #expect(ledger.totals.aliveObjects == 0)
  }

  @Test("names a private class as its source does, in debug and with -O") func privateNames() {
    let ledger = Ledger()
    Ledger.$current.withValue(ledger) { _ = Hidden() }
    #expect(ledger.totals.objects.map(\.type) == ["Hidden"])
  }

  @Test("counts a task as finished when its body has ended, though its handle is kept")
  func keptHandle() async throws {
    let ledger = Ledger()
    let handle = Ledger.$current.withValue(ledger) { Task(probe: "worker") { 42 } }
    #expect(await handle.value == 42)
    #expect(ledger.totals.task("worker") == TaskCount("worker", started: 1, finished: 1))
    withExtendedLifetime(handle) {}
  }

  @Test("counts a task that throws, or is cancelled, as finished") func failedTasks() async {
    let ledger = Ledger()
    let (thrower, sleeper) = Ledger.$current.withValue(ledger) {
      (
        Task(probe: "thrower") { throw CancellationError() },
        Task(probe: "sleeper") { try await Task.sleep(for: .seconds(3600)) }
      )
    }
    sleeper.cancel()
    _ = await thrower.result
    _ = await sleeper.result
    #expect(ledger.totals.liveTasks == 0)
    #expect(ledger.totals.tasks.map(\.started) == [1, 1])
  }

  @Test("reaches tasks however deep, and no other trial's") func depth() async {
    let (mine, theirs) = (Ledger(), Ledger())
    let outer = Ledger.$current.withValue(mine) {
      Task(probe: "outer") { await Task(probe: "inner") { _ = Owner() }.value }
    }
    await Ledger.$current.withValue(theirs) { _ = await Task(probe: "other") { Owner() }.value }
    await outer.value
    #expect(mine.totals.tasks.map(\.name) == ["outer", "inner"])
    #expect(theirs.totals.tasks.map(\.name) == ["other"])
    #expect(mine.totals.object("Owner").created == 1)
  }

  @Test("loses nothing when many threads report at once") func threads() async {
    let ledger = Ledger()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { Ledger.$current.withValue(ledger) { for _ in 0..<1_000 { _ = Owner() } } }
      }
    }
    let expected = ObjectCount("Owner", created: 8_000, deinitialized: 8_000)
    #expect(ledger.totals.object("Owner") == expected)
    #expect(ledger.changes == 16_000)
  }

  @Test("traps when an object is deinitialized twice") func doubleDeinit() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Ledger.$current.withValue(Ledger()) {
        let probe = Unmanaged.passRetained(Owner())
        let bits = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        // The object's bytes are kept, so that destroying them again is a second deinit of the
        // same serial number and not of whatever the allocator has put there since.
        bits.copyMemory(from: probe.toOpaque(), byteCount: 32)
        probe.release()
        Unmanaged<Owner>.fromOpaque(bits).release()
      }
    }
    #expect(result?.standardErrorContent.contains("#1 was deinitialized twice") == true)
  }

  @Test("wakes who waits for an entry, at once when there has been one") func waiting() {
    let (ledger, tooLong) = (Ledger(), 600_000)
    for _ in 0..<200 {
      let changes = ledger.changes
      Thread.detachNewThread { ledger.note("entered") }
      ledger.waitForChange(after: changes, milliseconds: tooLong)
      #expect(ledger.changes == changes + 1)
    }
    ledger.waitForChange(after: ledger.changes - 1, milliseconds: tooLong)
    ledger.waitForChange(after: ledger.changes, milliseconds: 1)
  }

  @Test("a probe outside of a trial is a programming error, and says so") func noTrial() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Owner()
    }
    #expect(result?.standardErrorContent.contains("a probe of Owner was created outside") == true)
  }
}

extension [UInt8] {
  /// Whether a text occurs in these bytes.
  func contains(_ text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}

@Suite("What has changed between two moments") struct TotalsTests {
  @Test("is told in the order of objects, tasks and notes") func order() async {
    let ledger = Ledger()
    let before = ledger.totals
    await Ledger.$current.withValue(ledger) {
      await Task(probe: "worker") { ledger.note("consumer received") }.value
      _ = LedgerTests.Owner()
    }
    #expect(
      ledger.totals.changes(since: before)
        == ["+ Owner", "- Owner", "+ task worker", "- task worker", "consumer received 1"])
  }

  @Test("counts what happened several times, and leaves out what did not happen again")
  func counting() {
    let ledger = Ledger()
    ledger.note("consumer received")
    let before = ledger.totals
    Ledger.$current.withValue(ledger) { for _ in 0..<3 { _ = LedgerTests.Owner() } }
    #expect(ledger.totals.changes(since: before) == ["+ 3 Owner", "- 3 Owner"])
  }
}

@Suite("Growth over rounds") struct GrowthTests {
  private static func growth(_ blocks: [Int], instances: Int = 10) -> Growth {
    Growth(instances: instances, liveBytes: blocks.map { $0 * 100 }, liveBlocks: blocks)
  }

  @Test("is a slope per run, the first round left out") func slope() {
    let growth = Self.growth([500, 520, 540, 560, 580])
    #expect(growth.trend == .grows)
    #expect(growth.blocksPerInstance == 2)
    #expect(growth.bytesPerInstance == 200)
    #expect(growth.fit == 1)
  }

  @Test("is not seen when any counted round leaves nothing more behind") func steady() {
    #expect(Self.growth([0, 10, 20, 20, 30]).trend == .steady)
    #expect(Self.growth([0, 7, 7, 7, 7]).trend == .steady)
  }

  @Test("is not told from fewer than four counted rounds") func tooFew() {
    #expect(Self.growth([0, 10, 20, 30]).trend == .unknown)
    #expect(Self.growth([0, 10, 20, 30, 40]).trend == .grows)
  }

  @Test("says how well a line fits") func fit() {
    let growth = Self.growth([0, 10, 20, 30, 80])
    #expect(growth.fit > 0.7 && growth.fit < 0.9)
  }
}

@Suite("A rendezvous") struct RendezvousTests {
  @Test("lets nobody pass before all have come") func holds() throws {
    let arrived = Atomic(0)
    let tooEarly = Atomic(0)
    let meeting = Rendezvous(parties: 10)
    let ending = Ending("meet", "they meet", expects: .nothing, explanation: "-") { lab in
      lab.onThreads(10) { _ in
        arrived.add(1, ordering: .sequentiallyConsistent)
        meeting.wait()
        if arrived.load(ordering: .sequentiallyConsistent) < 10 {
          tooEarly.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    _ = try Trial(of: ending, on: ImpatientScheduler()).run()
    #expect(arrived.load(ordering: .sequentiallyConsistent) == 10)
    #expect(tooEarly.load(ordering: .sequentiallyConsistent) == 0)
  }

  @Test("counts those who are held up elsewhere, and does not hold them") func arrivals() throws {
    let passed = Atomic(0)
    let meeting = Rendezvous(parties: 10)
    let ending = Ending("meet", "one waits", expects: .nothing, explanation: "-") { lab in
      lab.onThreads(10) { place in
        if place == 0 { meeting.wait() } else { meeting.arrive() }
        passed.add(1, ordering: .sequentiallyConsistent)
      }
    }
    _ = try Trial(of: ending, on: ImpatientScheduler()).run()
    #expect(passed.load(ordering: .sequentiallyConsistent) == 10)
  }
}
