import MemlabDumps
package import MemlabHeapModel
import MemlabTerminalText

/// A dump as Chrome's DevTools open it, in the Memory tab.
///
/// The form is that of V8: flat lists of numbers, whose meaning `meta` says, see
/// https://chromium.googlesource.com/v8/v8/+/refs/heads/main/src/profiler/heap-snapshot-generator.cc.
/// A node's id is the recorder's number of the block, so that two snapshots of a process compare. V8's
/// ids of things that a script has made are odd; so are these.
package struct HeapSnapshotFormat {
  private let dump: HeapDump
  private var strings = StringTable()
  private var out: ContiguousArray<UInt8> = []

  // Places in `node_types` and `edge_types`, below.
  fileprivate enum Node: Int {
    case array = 1
    case object = 3
    case closure = 5
    case native = 8
    case synthetic = 9
  }
  private enum Edge: Int {
    case element = 1
    case property, `internal`
  }

  private static let fields = 6
  private static let meta = """
    "meta":{"node_fields":["type","name","id","self_size","edge_count","detachedness"],\
    "node_types":[["hidden","array","string","object","code","closure","regexp","number","native",\
    "synthetic","concatenated string","sliced string","symbol","bigint","object shape"],"string",\
    "number","number","number","number"],\
    "edge_fields":["type","name_or_index","to_node"],\
    "edge_types":[["context","element","property","internal","hidden","shortcut","weak"],\
    "string_or_number","node"],\
    "trace_function_info_fields":[],"trace_node_fields":[],"sample_fields":[],"location_fields":[]}
    """

  /// The file.
  package static func bytes(of dump: HeapDump) -> ContiguousArray<UInt8> {
    var format = HeapSnapshotFormat(dump: dump)
    format.write()
    return format.out
  }

  // The first node is the root of all; below it is one for each way to hold something from outside.
  private static let groups = [
    "(tasks)", "(global variables)", "(cycles of objects)", "(nothing that was recorded)",
  ]

  private var firstBlock: Int { 1 + Self.groups.count }

  private mutating func write() {
    let entries = entries()
    let edges = entries.reduce(dump.targets.count + entries.count) { $0 + $1.count }
    text("{\"snapshot\":{\(Self.meta),")
    text("\"node_count\":\(dump.blocks.count + firstBlock),\"edge_count\":\(edges),")
    text("\"trace_function_count\":0},\n\"nodes\":[")
    writeNodes(entries)
    text("],\n\"edges\":[")
    writeEdges(entries)
    text("],\n\"trace_function_infos\":[],\"trace_tree\":[],\"samples\":[],\"locations\":[],\n")
    text("\"strings\":[")
    let escapes: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"]
    for (index, string) in strings.all.enumerated() {
      text((index > 0 ? ",\n\"" : "\"") + string.replacing(scalars: escapes).shownInJSON + "\"")
    }
    text("]}\n")
  }

  /// The first blocks of ways, by what holds them.
  private func entries() -> [[Int]] {
    var entries = Self.groups.map { _ in [Int]() }
    for block in dump.blocks.holders.indices where dump.blocks.holders[block] < 0 {
      entries[group(of: block)].append(block)
    }
    return entries
  }

  // A place in `groups`.
  private func group(of block: Int) -> Int {
    switch (dump.blocks.origins[block], dump.roots[block]) {
    case (.root, .task): 0
    case (.root, _): 1
    case (.cycle, _): 2
    case (.unknown, _): 3
    }
  }

  private mutating func writeNodes(_ entries: [[Int]]) {
    node(.synthetic, "", id: 1, size: 0, edges: entries.count, isFirst: true)
    for (group, name) in Self.groups.enumerated() {
      node(.synthetic, name, id: 3 + 2 * group, size: 0, edges: entries[group].count)
    }
    for block in dump.blocks.things.indices {
      let thing = dump.thing(block)
      node(
        thing.node, thing.title, id: Int(dump.blocks.serials[block]) * 2 + 101,
        size: Int(dump.blocks.sizes[block]), edges: dump.references(of: block).count)
    }
  }

  private mutating func node(
    _ type: Node, _ name: String, id: Int, size: Int, edges: Int, isFirst: Bool = false
  ) {
    text(isFirst ? "" : ",\n")
    numbers([type.rawValue, strings.place(of: name), id, size, edges, 0])
  }

  private mutating func writeEdges(_ entries: [[Int]]) {
    for group in entries.indices {
      text(group > 0 ? ",\n" : "")
      numbers([Edge.element.rawValue, group, (1 + group) * Self.fields])
    }
    for blocks in entries {
      for (index, block) in blocks.enumerated() {
        if case .global(let name)? = dump.roots[block], !name.isEmpty {
          edge(.property, strings.place(of: name), block)
        } else {
          edge(.element, index, block)
        }
      }
    }
    for block in dump.blocks.things.indices {
      for (index, reference) in dump.references(of: block).enumerated() {
        let label = dump.labels[Int(dump.labelIDs[reference])]
        let target = Int(dump.targets[reference])
        if label.kind == .element {
          edge(.element, index, target)
        } else {
          let name = label.closure ?? label.name ?? label.kind.rawValue
          edge(label.name == nil ? .internal : .property, strings.place(of: name), target)
        }
      }
    }
  }

  private mutating func edge(_ type: Edge, _ name: Int, _ block: Int) {
    text(",\n")
    numbers([type.rawValue, name, (firstBlock + block) * Self.fields])
  }

  private mutating func numbers(_ values: [Int]) {
    for (index, value) in values.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(contentsOf: String(value).utf8)
    }
  }

  private mutating func text(_ text: String) { out.append(contentsOf: text.utf8) }
}

extension HeapNode {
  fileprivate var node: HeapSnapshotFormat.Node {
    switch kind {
    case .block(.instance), .block(.error), .block(.task): .object
    case .block(.buffer): .array
    case .block(.context): .closure
    default: .native
    }
  }
}
