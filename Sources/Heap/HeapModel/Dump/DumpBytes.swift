// The form of a dump in a file and on a socket: what it is, then each part as `HeapDump` lists them,
// then an end, without which it is not whole.
extension HeapDump {
  private static let title: StaticString = "memlab.heap/2\n"
  private static let end: StaticString = "memlab.end\n"

  /// The dump as bytes.
  package var bytes: ContiguousArray<UInt8> {
    var writer = DumpWriter()
    writer.raw(Self.title)
    write(facts, to: &writer)
    writer.list(things, Self.write)
    writer.list(labels, Self.write)
    writer.list(groups, Self.write)
    writer.list(tasks, Self.write)
    writer.list(roots.sorted { $0.key < $1.key }) { writer, root in
      writer.count(root.key)
      switch root.value {
      case .task(let place): writer.optional(place) { $0.count($1) }
      case .global(let name):
        writer.optional(nil as Int?) { $0.count($1) }
        writer.text(name)
      }
    }
    writer.numbers(blocks.serials)
    writer.numbers(blocks.sizes)
    writer.numbers(blocks.things)
    writer.numbers(blocks.holders)
    writer.numbers(ContiguousArray(blocks.origins.map(\.rawValue)))
    writer.numbers(blocks.found)
    writer.numbers(blocks.counts)
    writer.numbers(starts)
    writer.numbers(targets)
    writer.numbers(labelIDs)
    writer.raw(Self.end)
    return writer.bytes
  }

  private func write(_ facts: Facts, to writer: inout DumpWriter) {
    writer.number(UInt64(UInt32(bitPattern: facts.process)))
    writer.text(facts.program)
    writer.number(UInt64(bitPattern: facts.time))
    writer.number(facts.moment)
    writer.count(facts.blocksInFlight)
    writer.number(facts.residentBytes)
    writer.number(facts.allocatorBytes)
    writer.list(facts.losses) { $0.text($1) }
  }

  private static func write(_ writer: inout DumpWriter, _ node: HeapNode) {
    writer.text(node.kind.nameInDump)
    writer.text(node.name)
    writer.optional(node.location, Self.write)
  }

  private static func write(_ writer: inout DumpWriter, _ location: CodeLocation) {
    writer.text(location.file)
    writer.count(location.line)
  }

  private static func write(_ writer: inout DumpWriter, _ label: Label) {
    writer.text(label.kind.rawValue)
    writer.optional(label.name) { $0.text($1) }
    writer.optional(label.closure) { $0.text($1) }
    writer.optional(label.closureLocation, Self.write)
  }

  private static func write(_ writer: inout DumpWriter, _ group: TaskGroup) {
    writer.text(group.title)
    writer.optional(group.suspendedIn) { $0.text($1) }
    writer.list(group.frames) { writer, frame in
      writer.text(frame.function)
      writer.optional(frame.location, Self.write)
    }
    writer.number(UInt64(group.owner.rawValue))
  }

  private static func write(_ writer: inout DumpWriter, _ task: Task) {
    writer.optional(task.block < 0 ? nil : task.block) { $0.count($1) }
    writer.count(task.group)
    writer.number(task.id)
    writer.optional(task.name) { $0.text($1) }
    writer.number(UInt64(task.state.rawValue))
    writer.number(task.isChild ? 1 : 0)
  }
}

extension HeapDump {
  /// Reads a dump.
  ///
  /// - Throws: ``DumpError`` when the bytes are not a dump, or when one of its entries refers to another
  ///   that it does not have.
  package init(bytes: [UInt8]) throws(DumpError) {
    guard bytes.hasPrefix(Self.title) else { throw .unknownFormat }
    guard bytes.suffix(Self.end.utf8CodeUnitCount).hasPrefix(Self.end) else { throw .damaged }
    var reader = DumpReader(bytes, from: Self.title.utf8CodeUnitCount)
    facts = try Self.readFacts(&reader)
    things = try reader.list(Self.readNode)
    labels = try reader.list(Self.readLabel)
    groups = try reader.list(Self.readGroup)
    tasks = try reader.list(Self.readTask)
    let found = try reader.list { reader throws(DumpError) in
      let block = try reader.integer(Int.self)
      let task = try reader.optional { reader throws(DumpError) in try reader.integer(Int.self) }
      if let task { return (block, Root.task(task)) }
      return (block, Root.global(try reader.text()))
    }
    roots = Dictionary(found, uniquingKeysWith: { first, _ in first })
    try readBlocks(&reader)
    try check()
  }

  private mutating func readBlocks(_ reader: inout DumpReader) throws(DumpError) {
    blocks.serials = try reader.numbers(UInt64.self)
    blocks.sizes = try reader.numbers(UInt32.self)
    blocks.things = try reader.numbers(UInt32.self)
    blocks.holders = try reader.numbers(Int32.self)
    for origin in try reader.numbers(UInt8.self) {
      guard let origin = Origin(rawValue: origin) else { throw .damaged }
      blocks.origins.append(origin)
    }
    blocks.found = try reader.numbers(Int32.self)
    blocks.counts = try reader.numbers(Int32.self)
    starts = try reader.numbers(UInt32.self)
    targets = try reader.numbers(UInt32.self)
    labelIDs = try reader.numbers(UInt32.self)
  }

  // Everything that is used as an index later.
  private func check() throws(DumpError) {
    let count = blocks.count
    let lengths = [
      blocks.sizes.count, blocks.things.count, blocks.holders.count, blocks.origins.count,
      blocks.found.count, blocks.counts.count, starts.count - 1,
    ]
    let isSound =
      lengths.allSatisfy { $0 == count } && labelIDs.count == targets.count
      && starts.first == 0 && starts.last == UInt32(targets.count)
      && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
      && blocks.things.allSatisfy { $0 < things.count }
      && blocks.holders.allSatisfy { $0 >= -1 && $0 < count }
      && targets.allSatisfy { $0 < count } && labelIDs.allSatisfy { $0 < labels.count }
      && tasks.allSatisfy { groups.indices.contains($0.group) && $0.block < count }
      && roots.allSatisfy { $0.key >= 0 && $0.key < count && exists($0.value) } && hasNoCircles
    guard isSound else { throw .damaged }
  }

  private func exists(_ root: Root) -> Bool {
    if case .task(let place) = root { tasks.indices.contains(place) } else { true }
  }

  // Each way must end.
  private var hasNoCircles: Bool {
    var isKnown = [Bool](repeating: false, count: blocks.count)
    for start in isKnown.indices {
      var (path, block) = ([Int](), start)
      while !isKnown[block] {
        path.append(block)
        guard path.count <= isKnown.count else { return false }
        guard case let holder = Int(blocks.holders[block]), holder >= 0 else { break }
        block = holder
      }
      for block in path { isKnown[block] = true }
    }
    return true
  }

  private static func readFacts(_ reader: inout DumpReader) throws(DumpError) -> Facts {
    var facts = Facts()
    facts.process = Int32(bitPattern: try reader.integer(UInt32.self))
    facts.program = try reader.text()
    facts.time = Int64(bitPattern: try reader.number())
    facts.moment = try reader.number()
    facts.blocksInFlight = try reader.integer(Int.self)
    facts.residentBytes = try reader.number()
    facts.allocatorBytes = try reader.number()
    facts.losses = try reader.list { reader throws(DumpError) in try reader.text() }
    return facts
  }

  private static func readNode(_ reader: inout DumpReader) throws(DumpError) -> HeapNode {
    guard let kind = HeapNode.Kind(nameInDump: try reader.text()) else { throw .damaged }
    let name = try reader.text()
    return HeapNode(kind: kind, name: name, location: try reader.optional(readLocation))
  }

  private static func readLocation(_ reader: inout DumpReader) throws(DumpError) -> CodeLocation {
    CodeLocation(file: try reader.text(), line: try reader.integer(Int.self))
  }

  private static func readLabel(_ reader: inout DumpReader) throws(DumpError) -> Label {
    guard let kind = RetainChain.Link.Kind(rawValue: try reader.text()) else { throw .damaged }
    let name = try reader.optional { reader throws(DumpError) in try reader.text() }
    let closure = try reader.optional { reader throws(DumpError) in try reader.text() }
    return Label(
      kind: kind, name: name, closure: closure,
      closureLocation: try reader.optional(readLocation))
  }

  private static func readGroup(_ reader: inout DumpReader) throws(DumpError) -> TaskGroup {
    let title = try reader.text()
    let suspendedIn = try reader.optional { reader throws(DumpError) in try reader.text() }
    let frames = try reader.list { reader throws(DumpError) in
      HeapFrame(function: try reader.text(), location: try reader.optional(readLocation))
    }
    guard let owner = TaskGroup.Owner(rawValue: try reader.integer(UInt8.self)) else {
      throw .damaged
    }
    return TaskGroup(title: title, suspendedIn: suspendedIn, frames: frames, owner: owner)
  }

  private static func readTask(_ reader: inout DumpReader) throws(DumpError) -> Task {
    let block = try reader.optional { reader throws(DumpError) in try reader.integer(Int.self) }
    let group = try reader.integer(Int.self)
    let id = try reader.number()
    let name = try reader.optional { reader throws(DumpError) in try reader.text() }
    guard let state = Task.State(rawValue: try reader.integer(UInt8.self)) else { throw .damaged }
    return Task(
      block: block ?? -1, group: group, id: id, name: name, state: state,
      isChild: try reader.number() != 0)
  }
}

extension HeapNode.Kind {
  fileprivate var nameInDump: String {
    switch self {
    case .block(let kind): kind.rawValue
    case .global: "global"
    case .stack: "stack"
    case .variable: "variable"
    }
  }

  fileprivate init?(nameInDump name: String) {
    guard let kind = HeapBlockKind(rawValue: name) else { return nil }
    self = .block(kind)
  }
}

/// Writes a dump as bytes: numbers in the order of the processor, texts with their lengths.
struct DumpWriter {
  /// What was written.
  private(set) var bytes: ContiguousArray<UInt8> = []

  /// Writes a number of a few bytes when it is small.
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a count.
  mutating func count(_ value: Int) { number(UInt64(value)) }

  /// Writes a text.
  mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a value that may be missing.
  mutating func optional<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
    bytes.append(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  /// Writes a list.
  mutating func list<Items: Collection>(
    _ items: Items, _ write: (inout Self, Items.Element) -> Void
  ) {
    count(items.count)
    for item in items { write(&self, item) }
  }

  /// Writes a list of plain numbers as they are in memory.
  mutating func numbers<Number: BitwiseCopyable>(_ list: ContiguousArray<Number>) {
    count(list.count)
    list.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Writes bytes as they are.
  mutating func raw(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
}

/// Reads what a ``DumpWriter`` has written, and believes none of it.
struct DumpReader {
  private let bytes: [UInt8]
  private var position: Int

  /// Begins at some place.
  init(_ bytes: [UInt8], from position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == bytes.count }

  /// A byte.
  mutating func byte() throws(DumpError) -> UInt8 {
    guard position < bytes.count else { throw .damaged }
    position += 1
    return bytes[position - 1]
  }

  /// A number.
  mutating func number() throws(DumpError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte()
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw .damaged
  }

  /// A count of things, of which each has at least a byte.
  mutating func count() throws(DumpError) -> Int {
    let value = try number()
    guard value <= UInt64(bytes.count - position) else { throw .damaged }
    return Int(value)
  }

  /// A whole number that fits.
  mutating func integer<Number: FixedWidthInteger>(_: Number.Type) throws(DumpError) -> Number {
    guard let value = Number(exactly: try number()) else { throw .damaged }
    return value
  }

  /// A text.
  mutating func text() throws(DumpError) -> String {
    let count = try count()
    position += count
    return String(decoding: bytes[position - count..<position], as: UTF8.self)
  }

  /// A value that may be missing.
  mutating func optional<Value>(
    _ read: (inout Self) throws(DumpError) -> Value
  ) throws(DumpError) -> Value? { try byte() == 0 ? nil : try read(&self) }

  /// A list.
  mutating func list<Value>(
    _ read: (inout Self) throws(DumpError) -> Value
  ) throws(DumpError) -> [Value] {
    var items: [Value] = []
    for _ in 0..<(try count()) { items.append(try read(&self)) }
    return items
  }

  /// A list of plain numbers.
  mutating func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type
  ) throws(DumpError) -> ContiguousArray<Number> {
    let count = try number()
    let size = MemoryLayout<Number>.size
    guard count <= UInt64((bytes.count - position) / size) else { throw .damaged }
    defer { position += Int(count) * size }
    return ContiguousArray(unsafeUninitializedCapacity: Int(count)) { buffer, used in
      bytes[position..<position + Int(count) * size].withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
      }
      used = Int(count)
    }
  }
}

/// Why bytes are no dump.
package enum DumpError: Error, CustomStringConvertible {
  /// They are something else, or of another version of memlab.
  case unknownFormat
  /// They do not fit together, or end too early.
  case damaged

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .unknownFormat: "it is no snapshot of this version of memlab"
    case .damaged: "it is damaged or not whole"
    }
  }
}
