package import MemlabHeapModel

/// A dump as a profile for `go tool pprof`, whose stacks are the ways to hold something.
///
/// The form is a protocol buffer, see https://github.com/google/pprof/blob/main/proto/profile.proto;
/// the numbers below are those of its fields. It is not compressed, which pprof accepts.
package enum PprofFormat {
  private struct Message {
    private(set) var bytes: ContiguousArray<UInt8> = []

    mutating func number(_ field: UInt64, _ value: Int) {
      varint(field << 3)
      varint(UInt64(bitPattern: Int64(value)))
    }

    mutating func bytes(_ field: UInt64, _ value: some Collection<UInt8>) {
      varint(field << 3 | 2)
      varint(UInt64(value.count))
      bytes.append(contentsOf: value)
    }

    private mutating func varint(_ value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
  }

  /// The file.
  package static func bytes(of dump: HeapDump) -> ContiguousArray<UInt8> {
    var (profile, strings) = (Message(), StringTable([""]))
    for (type, unit) in [("inuse_objects", "count"), ("inuse_space", "bytes")] {
      var value = Message()
      value.number(1, strings.place(of: type))
      value.number(2, strings.place(of: unit))
      profile.bytes(1, value.bytes)
    }
    var functions: [Int] = []
    var known: [Int: Int] = [:]
    for way in FoldedFormat.Ways(of: dump).all {
      var sample = Message()
      // A stack's innermost function comes first.
      for step in way.steps.reversed() {
        let name = strings.place(of: step)
        if known[name] == nil {
          functions.append(name)
          known[name] = functions.count
        }
        sample.number(1, known[name] ?? 0)
      }
      sample.number(2, way.count)
      sample.number(2, way.bytes)
      profile.bytes(2, sample.bytes)
    }
    for (index, name) in functions.enumerated() {
      var (line, location, function) = (Message(), Message(), Message())
      line.number(1, index + 1)
      location.number(1, index + 1)
      location.bytes(4, line.bytes)
      profile.bytes(4, location.bytes)
      function.number(1, index + 1)
      function.number(2, name)
      profile.bytes(5, function.bytes)
    }
    for text in strings.all { profile.bytes(6, text.utf8) }
    profile.number(9, Int(dump.facts.time) * 1_000_000_000)
    return profile.bytes
  }
}
