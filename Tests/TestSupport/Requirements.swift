import Foundation
import MemlabHeapModel
import MemlabKit
package import Testing

/// Whether tests have more time than a commit has: `make verify` sets `MEMLAB_THOROUGH=1`.
package enum Slow {
  /// Whether the slow tests run too.
  package static let isOn = ProcessInfo.processInfo.environment["MEMLAB_THOROUGH"] == "1"

  /// All cases where there is time, and each so-many-th of them where there is not.
  package static func all<Case>(_ cases: [Case], orEach step: Int) -> [Case] {
    isOn ? cases : stride(from: 0, to: cases.count, by: step).map { cases[$0] }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where there is no time for it.
  package static var needsTime: Self {
    .enabled(if: Slow.isOn, "it takes long, and runs with MEMLAB_THOROUGH=1, as in 'make verify'")
  }

  /// Skips a test where there is no virtual time, and says why.
  package static var needsVirtualTime: Self {
    .enabled(
      if: VirtualScheduler.obstacle == nil,
      Comment(rawValue: VirtualScheduler.obstacle ?? "there is virtual time"))
  }

  /// Skips a test where endings do not have processes of their own.
  package static var needsIsolation: Self {
    .enabled(if: Isolation.isAvailable, "this build measures all endings in one process")
  }

  /// Skips a test where Swift's libraries do not have the names of their functions.
  package static var needsLibraryNames: Self {
    .enabled(
      if: !StrippedLibraries.isOn,
      "this Swift's libraries are stripped, so nothing says which function a task waits in")
  }

  /// Skips a test where the heap cannot be read, and says why.
  package static var needsHeap: Self {
    .enabled(
      if: HeapRecording.isAvailable,
      Comment(rawValue: HeapRecording.obstacle ?? "the heap is recorded"))
  }
}
