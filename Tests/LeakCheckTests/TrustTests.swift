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
    #expect(!isOver(after: 4.9, paused: 4.9, isMoving: false))
    #expect(isOver(after: 5, paused: 5, isMoving: false))
  }

  @Test("is longer for a task that waits for a thread, and not endless") func moving() {
    #expect(!isOver(after: 29.9, paused: 29.9, isMoving: true))
    #expect(isOver(after: 30, paused: 30, isMoving: true))
  }

  @Test("is not used up by a machine that has other things to do", arguments: [false, true])
  func busy(isMoving: Bool) {
    #expect(!isOver(after: 600, paused: 4.9, isMoving: isMoving))
    #expect(isOver(after: 600, paused: 5, isMoving: isMoving))
  }

  @Test("ends at once without a limit", arguments: [false, true]) func none(isMoving: Bool) {
    #expect(Patience(limit: .zero).isOver(after: .zero, paused: .zero, isMoving: isMoving))
  }

  private func isOver(after waited: Double, paused: Double, isMoving: Bool) -> Bool {
    patience.isOver(after: .seconds(waited), paused: .seconds(paused), isMoving: isMoving)
  }
}
