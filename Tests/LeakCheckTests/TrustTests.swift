import Foundation
import LeakCheck
import MemlabHeapModel
import Testing

@Suite("Whether the heap can be believed", .enabled(if: HeapRecording.isAvailable))
struct TrustTests {
  // In a process of its own, as it starts the recorder and leaves it on.
  @Test("nothing speaks against it here") func sound() async {
    await #expect(processExitsWith: .success) {
      #expect(await HeapTrust.reasonToDoubt == nil)
    }
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
