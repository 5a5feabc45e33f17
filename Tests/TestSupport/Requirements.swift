import HeapGraph
import MemlabKit
public import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test where there is no virtual time, and says why.
  public static var needsVirtualTime: Self {
    .enabled(
      if: VirtualScheduler.obstacle == nil,
      Comment(rawValue: VirtualScheduler.obstacle ?? "there is virtual time"))
  }

  /// Skips a test where the heap cannot be read, and says why.
  public static var needsHeap: Self {
    .enabled(
      if: HeapRecording.isAvailable,
      Comment(rawValue: HeapRecording.obstacle ?? "the heap is recorded"))
  }
}
