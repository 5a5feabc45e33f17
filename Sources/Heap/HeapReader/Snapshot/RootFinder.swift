import CMemlabProcess
import MemlabHeapModel

/// Looks for the places outside the heap that refer to recorded blocks.
struct RootFinder {
  /// Unfinished tasks, which the runtime keeps alive until they return; the oldest first, so that
  /// of two that hold the same object it is always the same one that is named.
  static func tasks(_ tasks: [Int: HeapTask]) -> [FoundRoot] {
    tasks.filter { !$0.value.isFinished }
      .sorted { $0.value.id < $1.value.id }
      .map { FoundRoot(block: $0.key, place: .task) }
  }

  /// Words of the images' writable data that are addresses of blocks.
  ///
  /// Leaves out the core library: its megabyte of data is nearly all metadata, and no variable of
  /// it refers to a program's objects. Leaves out words with one of the three lowest bits set, too.
  /// The compiler marks the case of an enumeration in the highest unused bits of a reference,
  /// https://github.com/swiftlang/swift/blob/main/lib/IRGen/GenEnum.cpp, so such a word is a smaller
  /// value and its padding. Padding keeps what was on the stack when the value was stored, and that
  /// may be an address.
  static func globals(_ heap: Classifier) -> [FoundRoot] {
    var found: [FoundRoot] = []
    for segment in heap.segments.all
    where segment.is_writable == 1 && !segment.isCore {
      scan(segment.region, heap) { block, address in
        guard let word = segment.region.word(at: address), word & 7 == 0 else { return }
        let function =
          heap.isContext(block) ? segment.function(before: address, heap.segments) : nil
        found.append(FoundRoot(block: block, place: .global(address), function: function))
      }
    }
    return found
  }

  /// Words of the current thread's stack, from the caller's frame up, that are addresses of blocks.
  /// Some are leftovers of calls that have returned.
  static func stack(_ heap: Classifier) -> [FoundRoot] {
    var found: [FoundRoot] = []
    let start = current_stack_pointer()
    let stack = Region(proven: start, count: current_stack_end() &- start)
    scan(stack, heap) { block, _ in
      found.append(FoundRoot(block: block, place: .stack))
    }
    return found
  }

  private static func scan(
    _ region: Region, _ heap: Classifier, found: (Int, UInt) -> Void
  ) {
    heap.blocks.forEachReference(in: region) { block, place in
      switch heap.kinds[block] {
      case .sideTable, .metadata: break
      default: found(block, place)
      }
    }
  }
}

extension Classifier {
  /// Whether a closure may be called with a block: a closure with one capture uses the captured
  /// object.
  fileprivate func isContext(_ block: Int) -> Bool {
    kinds[block] == .context || kinds[block] == .instance
  }
}

extension loaded_segment {
  fileprivate func function(before address: UInt, _ segments: LoadedSegments) -> UInt? {
    guard let word = region.word(at: address &- 8), let segment = segments.segment(at: word),
      segments.isFunction(word, in: segment)
    else { return nil }
    return word
  }
}
