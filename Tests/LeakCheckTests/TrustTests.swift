import Foundation
import LeakCheck
import TestSupport
import Testing

@Suite("Whether the heap can be believed", .needsHeap) struct TrustTests {
  // In a process of its own, as it starts the recorder and leaves it on.
  @Test("nothing speaks against it here") func sound() async {
    await #expect(processExitsWith: .success) { #expect(await HeapTrust.reasonToDoubt == nil) }
  }

  @Test("one failure is enough to doubt it, and stays") func doubt() async {
    await #expect(processExitsWith: .success) {
      setenv("MEMLAB_ABI_MUTANT", "task.status", 1)
      for _ in 0..<2 {
        let reason = await HeapTrust.reasonToDoubt
        #expect(reason?.contains("the rows task.status, task.cancelledBit, ") == true)
      }
    }
  }
}

@Suite("The patience of a check") struct PatienceTests {
  private let patience = Patience(limit: .seconds(5))

  @Test("is over with the limit when nothing moves") func rest() {
    #expect(!isOver(after: 4.9, paused: 4.9))
    #expect(isOver(after: 5, paused: 5))
  }

  @Test("goes on for a task that runs, and not for longer than the limit once more") func moving() {
    #expect(!isOver(after: 9.9, paused: 9.9, isMoving: true))
    #expect(isOver(after: 10, paused: 10, isMoving: true))
  }

  @Test("is longer for a task that waits for a thread, and not endless") func late() {
    #expect(!isOver(after: 29.9, paused: 29.9, isMoving: true, isLate: true))
    #expect(isOver(after: 30, paused: 30, isMoving: true, isLate: true))
  }

  @Test("is used up half as fast by a machine that has other things to do, and is used up")
  func busy() {
    #expect(!isOver(after: 9.9, paused: 4.9))
    #expect(isOver(after: 10, paused: 0.1))
  }

  @Test("is not used up by the clock alone before there were several looks") func looks() {
    #expect(!isOver(after: 100, paused: 0.1, looks: 5))
    #expect(isOver(after: 100, paused: 5, looks: 1))
    #expect(isOver(after: 100, paused: 10, looks: 1, isMoving: true))
  }

  @Test("ends at once without a limit", arguments: [false, true]) func none(isMoving: Bool) {
    #expect(
      Patience(limit: .zero).isOver(
        after: .zero, paused: .zero, looks: 1, isMoving: isMoving, isLate: isMoving))
  }

  private func isOver(
    after waited: Double, paused: Double, looks: Int = 6, isMoving: Bool = false,
    isLate: Bool = false
  ) -> Bool {
    patience.isOver(
      after: .seconds(waited), paused: .seconds(paused), looks: looks, isMoving: isMoving,
      isLate: isLate)
  }
}
