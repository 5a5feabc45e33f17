package import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// The segments of the program and of the libraries loaded into it, in order of address.
package struct LoadedSegments: @unchecked Sendable {
  /// The segments, the lowest first.
  package let all: [loaded_segment]
  private let lowest: UInt

  private let changes: UInt64
  private static let latest = Guarded<LoadedSegments?>(nil)

  /// What is loaded now. The loader is asked again only when that has changed.
  package static func current() -> LoadedSegments {
    latest.withLock { latest in
      if let latest, latest.changes == memlab_loaded_images_changes() { return latest }
      let list = LoadedSegments()
      latest = list
      return list
    }
  }

  private init() {
    changes = memlab_loaded_images_changes()
    let count = memlab_loaded_segments_list(nil, 0)
    let list = [loaded_segment](unsafeUninitializedCapacity: count + 8) { buffer, used in
      used = min(memlab_loaded_segments_list(buffer.baseAddress, buffer.count), buffer.count)
    }
    let lists = abi.registry.memory
    let parts = list.flatMap { $0.parts(outside: lists) }
    all = parts.map { UInt64($0.start) }.placesInOrder.map { parts[$0] }
    lowest = all.first?.start ?? 0
  }

  /// The segment that an address lies in.
  package func segment(at address: UInt) -> loaded_segment? { stretch(around: address).segment }

  /// The addresses of the segment that an address lies in; where it lies in none, those between the
  /// segments beside it.
  func stretch(around address: UInt) -> (addresses: Range<UInt>, segment: loaded_segment?) {
    let next = all.indices.end { all[$0].start <= address }
    if next > 0, address < all[next - 1].end {
      return (all[next - 1].start..<all[next - 1].end, all[next - 1])
    }
    let end = next < all.count ? all[next].start : UInt.max
    return ((next > 0 ? all[next - 1].end : 0)..<end, nil)
  }

  /// Whether an address is that of loaded code.
  package func isCode(_ address: UInt) -> Bool {
    address >= lowest && segment(at: address)?.is_executable == 1
  }

  /// Whether an address in a segment is what a closure has of its function: code, or for an async
  /// function the description of its relative address and its context's size. An object among the
  /// globals begins with an address instead, whose upper half is no such size.
  package func isFunction(_ address: UInt, in segment: loaded_segment) -> Bool {
    if segment.is_executable == 1 { return true }
    guard address & 3 == 0,
      let size = segment.region.uint32(at: address &+ abi.async.contextSize),
      let function = segment.region.relative(at: address)
    else { return false }
    return (16...16_384).contains(size) && size % 16 == 0 && isCode(function)
  }
}

extension loaded_segment {
  /// Its memory, which stays while the image is loaded.
  package var region: Region { Region(proven: start, count: end - start) }

  /// Whether it is code of the library that runs tasks.
  package var isOfConcurrency: Bool {
    is_executable == 1 && String(cString: path).contains(abi.libraries.concurrency)
  }

  // The runtime's lists of its tasks refer to them and own none, so they are no variables of a program.
  fileprivate func parts(outside hole: Range<UInt>) -> [loaded_segment] {
    guard start < hole.lowerBound, hole.lowerBound < end else { return [self] }
    var (before, behind) = (self, self)
    (before.end, behind.start) = (hole.lowerBound, min(hole.upperBound, end))
    return [before, behind]
  }
}
