import Dispatch
import HeapGraph
import LeakCheck
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

  /// A task that waits for somebody from before the first check.
  @Test func olderHolder() async {
    let registry = Registry.shared
    await expectNoLeaks {
      let clock = watch(Clock())
      Task { for await time in registry.stream { clock.time = time } }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1500)) {
        Registry.shared.continuation.finish()
      }
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
