import CMemlabProcess
import MemlabHeapModel

/// The places outside the heap that refer to recorded blocks.
extension Classifier {
  /// Words of the images' writable data that are addresses of blocks.
  ///
  /// Leaves out the core library: its megabyte of data is nearly all metadata, and no variable of
  /// it refers to a program's objects. Leaves out words with one of the three lowest bits set, too.
  /// The compiler marks the case of an enumeration in the highest unused bits of a reference,
  /// https://github.com/swiftlang/swift/blob/main/lib/IRGen/GenEnum.cpp, so such a word is a smaller
  /// value and its padding. Padding keeps what was on the stack when the value was stored, and that
  /// may be an address.
  func globalRoots() -> [FoundRoot] {
    var found: [FoundRoot] = []
    for segment in segments.all where segment.is_writable == 1 && !segment.isCore {
      blocks.forEachReference(in: segment.region) { block, address in
        guard let word = segment.region.word(at: address), word & 7 == 0,
          ![.sideTable, .metadata].contains(kinds[block])
        else { return }
        let function = mayBeContext(block) ? function(before: address, in: segment.region) : nil
        found.append(FoundRoot(block: block, place: .global(address), function: function))
      }
    }
    return found
  }

  // A closure may be called with it: one with one capture uses the captured object.
  private func mayBeContext(_ block: Int) -> Bool { [.context, .instance].contains(kinds[block]) }

  private func function(before address: UInt, in region: Region) -> UInt? {
    region.word(at: address &- 8).flatMap { word in
      segments.segment(at: word).flatMap { segments.isFunction(word, in: $0) ? word : nil }
    }
  }
}
