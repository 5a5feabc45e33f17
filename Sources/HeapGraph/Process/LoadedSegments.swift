internal import CHeapRecorder

/// The segments of the program and of the libraries loaded into it, in order of address.
struct LoadedSegments: @unchecked Sendable {
  /// The segments, the lowest first.
  let all: [loaded_segment]
  private let lowest: UInt

  /// Asks the dynamic loader.
  init() {
    let count = loaded_segments_list(nil, 0)
    let list = [loaded_segment](unsafeUninitializedCapacity: count + 8) { buffer, used in
      used = min(loaded_segments_list(buffer.baseAddress, buffer.count), buffer.count)
    }
    all = list.sorted { $0.start < $1.start }
    lowest = all.first?.start ?? 0
  }

  /// The segment that an address lies in.
  func segment(at address: UInt) -> loaded_segment? {
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < all[low - 1].end else { return nil }
    return all[low - 1]
  }

  /// Whether an address is that of loaded code.
  func isCode(_ address: UInt) -> Bool {
    address >= lowest && segment(at: address)?.is_executable == 1
  }

  /// Whether `count` bytes at an address belong to a loaded image.
  func contains(_ address: UInt, count: UInt) -> Bool {
    guard let segment = segment(at: address) else { return false }
    return address + count <= segment.end
  }
}
