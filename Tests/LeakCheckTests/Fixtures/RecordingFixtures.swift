import Dispatch
import LeakCheck
import MemlabHeapModel
import Testing

/// Checks in a process that records less of the heap, or nothing.
@Suite("Recording", .enabled(if: Fixture.isOn), .serialized) struct RecordingFixtures {
  /// An object from before the first check, which is not on the recorded heap.
  @Test func olderObject() async {
    Registry.shared.entries = [Clock()]
    await expectNoLeaks {
      watch(Registry.shared.entries[0])
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1500)) {
        Registry.shared.entries = []
      }
    }
  }

  /// A task that waits for somebody from before the first check, who has it in memory of his own.
  @Test func olderHolder() async {
    let request = Request()
    await expectNoLeaks {
      let clock = watch(Clock())
      Task {
        await request.load()
        clock.time = 1
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1500)) { request.answer() }
    }
  }

  @Test func off() async {
    await expectNoLeaks(within: .milliseconds(100)) {
      let clock = watch(Clock())
      clock.partner = clock
    }
    #expect(HeapRecording.live.blocks == 0)
  }
}
