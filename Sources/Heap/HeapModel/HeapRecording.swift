import CMemlabRecorder
import MemlabPlatform

/// The recorder of live heap blocks: what a ``HeapSnapshot`` is taken of.
///
/// It is off until ``start()``; until then an allocation costs what it always did. While it is on
/// it notes each new block of every thread, except the blocks of ``withoutRecording(_:)``.
package enum HeapRecording {
  /// Whether this build can record: it can't under the address and thread sanitizers, and only
  /// on x86-64 and arm64, where the C library is glibc.
  package static var isAvailable: Bool { obstacle == nil }

  /// Why this build cannot record, in words; nil where it can.
  package static var obstacle: String? { heap_recorder_obstacle().map { String(cString: $0) } }

  /// Whether blocks are being recorded now.
  package static var isOn: Bool { heap_recorder_is_on() }

  /// Forgets every block recorded so far and records from here on.
  ///
  /// Blocks that are older than this call don't exist for a snapshot: neither as survivors nor as
  /// holders. Start before the first object of interest is made.
  ///
  /// Tasks that are made later have a block for each of their frames, where the runtime knows how.
  package static func start() {
    memlab_prefer_exact_frames()
    heap_recorder_start()
  }

  /// Stops recording. Take the snapshot first: blocks freed from now on would still be listed.
  package static func stop() { heap_recorder_stop() }

  /// From now on, recorded blocks are filled with invalid addresses when they are freed.
  ///
  /// Code that uses a freed object then crashes. Otherwise it would often find the object unchanged.
  package static func spoilFrees() { heap_recorder_spoil_frees() }

  /// Runs `body` while freed memory is used again at once, as it is without ``spoilFrees()``: a new
  /// object may get the address of a freed one.
  package static func reusingMemory<Result>(_ body: () throws -> Result) rethrows -> Result {
    heap_recorder_keep_freed(false)
    defer { heap_recorder_keep_freed(true) }
    return try body()
  }

  /// The number of recorded blocks that are live, and their size in bytes.
  package static var live: (blocks: Int, bytes: Int) {
    var bytes = 0
    let blocks = heap_recorder_count(&bytes)
    return (blocks, bytes)
  }

  /// Runs `body` without recording what the calling thread allocates in it.
  ///
  /// For the observer's own bookkeeping. Other threads are recorded meanwhile.
  package static func withoutRecording<Result>(_ body: () throws -> Result) rethrows -> Result {
    heap_recorder_pause_thread()
    defer { heap_recorder_resume_thread() }
    return try body()
  }
}

/// A moment of the process: what has begun since is younger.
package final class HeapMoment: Sendable {
  /// The recorder's number of the moment: older blocks have lower ones, younger blocks higher ones.
  package let serial = heap_recorder_moment()
  /// As the kernel notes when a thread began: in hundredths of a second since the machine did.
  package let ticks = CLibrary.hundredthsSinceBoot

  /// Now.
  package init() {}
}

/// Why there is no snapshot.
package enum HeapError: Error, Hashable, CustomStringConvertible {
  /// Recording is off.
  case notRecording
  /// This build cannot record; the text says why.
  case unrecordable(String)
  /// The runtime isn't laid out as expected; the text says what was different.
  case unknownRuntime(String)
  /// The kernel doesn't let the recorder keep freed memory until it has been read.
  case unheldFrees

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .notRecording: "the heap is not being recorded"
    case .unrecordable(let obstacle): "this build cannot record it: \(obstacle)"
    case .unknownRuntime(let detail): "the heap trace does not know this runtime: \(detail)"
    case .unheldFrees:
      "this kernel has no membarrier, so memory could go away while it is read"
    }
  }
}
