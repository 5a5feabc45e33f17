import MemlabDumps
package import MemlabHeapModel
import MemlabTerminalText

/// A dump as a profile for `go tool pprof`, whose stacks are the ways to hold something.
///
/// The form is a protocol buffer, see https://github.com/google/pprof/blob/main/proto/profile.proto;
/// the numbers below are those of its fields. It is not compressed, which pprof accepts.
package enum PprofFormat {
  private struct Message {
    private(set) var bytes: ContiguousArray<UInt8> = []

    init(_ numbers: (field: UInt64, value: Int)...) {
      for (field, value) in numbers { number(field, value) }
    }

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
      profile.bytes(1, Message((1, strings.place(of: type)), (2, strings.place(of: unit))).bytes)
    }
    var functions = StringTable()
    for way in FoldedFormat.ways(of: dump) {
      var sample = Message()
      // A stack's innermost function comes first.
      for step in way.steps.reversed() { sample.number(1, functions.place(of: step) + 1) }
      sample.number(2, way.count)
      sample.number(2, way.bytes)
      profile.bytes(2, sample.bytes)
    }
    for (index, name) in functions.all.enumerated() {
      let line = Message((1, index + 1))
      var location = line
      location.bytes(4, line.bytes)
      profile.bytes(4, location.bytes)
      profile.bytes(5, Message((1, index + 1), (2, strings.place(of: name))).bytes)
    }
    for text in strings.all { profile.bytes(6, text.utf8) }
    profile.number(9, Int(dump.facts.time) * 1_000_000_000)
    return profile.bytes
  }
}

/// A dump as folded stacks: a line for each way to hold something, from the root on, and the bytes of
/// all blocks that are held so. Flame graphs are drawn from it.
package enum FoldedFormat {
  /// The lines, sorted.
  package static func text(of dump: HeapDump) -> String {
    ways(of: dump).map { $0.steps.joined(separator: ";") + " \($0.bytes)\n" }.sorted().joined()
  }

  /// The ways to hold something, each once: what is on each, and the blocks that are held so.
  fileprivate static func ways(of dump: HeapDump) -> [(steps: [String], count: Int, bytes: Int)] {
    EqualHolders(dump).groups(in: dump).sorted { $0.key < $1.key }.map { _, group in
      let path = dump.path(to: group.sample)
      // A list is one step, as long as its members are alike.
      let names = [dump.rootText(of: path[0])] + path.prefix(64).map { dump.thing($0).title }
      let steps: [String] = names.reduce(into: []) { steps, name in
        let step = name.shown().replacing(scalars: [";": ","])
        if steps.last != step { steps.append(step) }
      }
      return (steps, group.count, group.bytes)
    }
  }
}

/// The texts of a format that names each by its place in a list.
struct StringTable {
  /// The texts, each once.
  private(set) var all: [String] = []
  private var places: [String: Int] = [:]

  /// A table that begins with some texts.
  init(_ first: [String] = []) { for text in first { _ = place(of: text) } }

  /// The place of a text, which is added where it is not there yet.
  mutating func place(of text: String) -> Int {
    if let known = places[text] { return known }
    places[text] = all.count
    all.append(text)
    return all.count - 1
  }
}
