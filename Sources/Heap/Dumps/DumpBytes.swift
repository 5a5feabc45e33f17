package import MemlabHeapModel

// The form of a dump in a file and on a socket: what it is, then each part as `HeapDump` lists them,
// then an end, without which it is not whole. Each part says once what it consists of; a stream that
// writes takes it from the part, and one that reads makes the part of it.
extension HeapDump {
  private static let title: StaticString = "memlab.heap/2\n"
  private static let end: StaticString = "memlab.end\n"

  /// The dump as bytes.
  package var bytes: ContiguousArray<UInt8> {
    var dump = self
    let stream = DumpStream()
    stream.append(Self.title)
    // Only reading can fail.
    try? dump.pass(stream)
    stream.append(Self.end)
    return stream.bytes
  }

  /// Reads a dump.
  ///
  /// - Throws: ``DumpError`` when the bytes are not a dump, or when one of its entries refers to another
  ///   that it does not have.
  package init(bytes: [UInt8]) throws(DumpError) {
    guard bytes.hasPrefix(Self.title) else { throw .unknownFormat }
    guard bytes.suffix(Self.end.utf8CodeUnitCount).hasPrefix(Self.end) else { throw .damaged }
    self.init()
    try pass(DumpStream(reading: bytes, from: Self.title.utf8CodeUnitCount))
    try check()
  }

  private mutating func pass(_ stream: DumpStream) throws(DumpError) {
    try facts.pass(stream)
    things = try stream.list(things, stream.node)
    labels = try stream.list(labels, stream.label)
    groups = try stream.list(groups, stream.group)
    tasks = try stream.list(tasks, stream.task)
    let found = try stream.list(roots.sorted { $0.key < $1.key }.map { ($0, $1) }, stream.root)
    roots = Dictionary(found, uniquingKeysWith: { first, _ in first })
    try stream.numbers(&blocks.serials)
    try stream.numbers(&blocks.sizes)
    try stream.numbers(&blocks.things)
    try stream.numbers(&blocks.holders)
    var origins = ContiguousArray(blocks.origins.map(\.rawValue))
    try stream.numbers(&origins)
    blocks.origins = ContiguousArray(origins.lazy.compactMap(Origin.init))
    try stream.numbers(&blocks.found)
    try stream.numbers(&blocks.counts)
    try stream.numbers(&starts)
    try stream.numbers(&targets)
    try stream.numbers(&labelIDs)
  }

  // Everything that is used as an index later, or that is added to or multiplied.
  private func check() throws(DumpError) {
    let count = blocks.count
    let lengths = [
      blocks.sizes.count, blocks.things.count, blocks.holders.count, blocks.origins.count,
      blocks.found.count, blocks.counts.count, starts.count - 1,
    ]
    let isSound =
      facts.areSound && blocks.serials.allSatisfy { $0 < 1 << 38 }
      && lengths.allSatisfy { $0 == count } && labelIDs.count == targets.count
      && starts.first == 0 && starts.last.map(Int.init) == targets.count
      && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
      && blocks.things.allSatisfy { $0 < things.count }
      && blocks.holders.allSatisfy { $0 >= -1 && $0 < count }
      && targets.allSatisfy { $0 < count } && labelIDs.allSatisfy { $0 < labels.count }
      && tasks.allSatisfy { groups.indices.contains($0.group) && $0.block < count }
      && roots.allSatisfy { $0.key >= 0 && $0.key < count && exists($0.value) }
    // Each way must end.
    guard isSound, order != nil else { throw .damaged }
  }

  private func exists(_ root: Root) -> Bool {
    if case .task(let place) = root { tasks.indices.contains(place) } else { true }
  }
}

// What each part consists of. None of it is there while the stream reads.
extension DumpStream {
  fileprivate func root(_ root: (Int, HeapDump.Root)?) throws(DumpError) -> (Int, HeapDump.Root) {
    let block: Int = try integer(root?.0)
    var (task, global): (Int?, String?)
    if case .task(let place)? = root?.1 { task = place }
    if case .global(let name)? = root?.1 { global = name }
    if let task = try optional(task, integer) { return (block, .task(task)) }
    return (block, .global(try text(global)))
  }

  fileprivate func node(_ node: HeapNode?) throws(DumpError) -> HeapNode {
    // A dump has blocks alone.
    var kindOfBlock: String?
    if case .block(let kind)? = node?.kind { kindOfBlock = kind.rawValue }
    let text = try text(kindOfBlock)
    guard let kind = node?.kind ?? HeapBlockKind(rawValue: text).map(HeapNode.Kind.block) else {
      throw .damaged
    }
    let (name, location) = (try self.text(node?.name), try optional(node?.location, location))
    return HeapNode(kind: kind, name: name, location: location)
  }

  private func location(_ location: CodeLocation?) throws(DumpError) -> CodeLocation {
    let path = try text(location?.path)
    // By bytes: to step back by characters, all flags before one are counted.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let end = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    return CodeLocation(
      file: String(path[end...]), line: try integer(location?.line),
      in: String(path[..<end].dropLast()))
  }

  fileprivate func label(_ label: HeapDump.Label?) throws(DumpError) -> HeapDump.Label {
    let kind = RetainChain.Link.Kind(rawValue: try text(label?.kind.rawValue))
    guard let kind else { throw .damaged }
    return HeapDump.Label(
      kind: kind, name: try optional(label?.name, text),
      closure: try optional(label?.closure, text),
      closureLocation: try optional(label?.closureLocation, location))
  }

  fileprivate func group(_ group: HeapDump.TaskGroup?) throws(DumpError) -> HeapDump.TaskGroup {
    HeapDump.TaskGroup(
      title: try text(group?.title), suspendedIn: try optional(group?.suspendedIn, text),
      frames: try list(group?.frames ?? [], frame), owner: try choice(group?.owner))
  }

  private func frame(_ frame: HeapFrame?) throws(DumpError) -> HeapFrame {
    let function = try text(frame?.function)
    return HeapFrame(function: function, location: try optional(frame?.location, location))
  }

  fileprivate func task(_ task: HeapDump.Task?) throws(DumpError) -> HeapDump.Task {
    let block = task.flatMap { $0.block < 0 ? nil : $0.block }
    return HeapDump.Task(
      block: try optional(block, integer) ?? -1, group: try integer(task?.group),
      id: try number(task?.id), name: try optional(task?.name, text),
      state: try choice(task?.state), isChild: try number(task?.isChild == true ? 1 : 0) != 0)
  }
}

extension HeapDump.Facts {
  // The time also in nanoseconds, as pprof has it.
  fileprivate var areSound: Bool {
    (0..<1 << 33).contains(time) && max(residentBytes, allocatorBytes) <= Int.max / 4
  }

  fileprivate mutating func pass(_ stream: DumpStream) throws(DumpError) {
    process = Int32(bitPattern: try stream.integer(UInt32(bitPattern: process)))
    program = try stream.text(program)
    time = Int64(bitPattern: try stream.number(UInt64(bitPattern: time)))
    moment = try stream.number(moment)
    blocksInFlight = try stream.integer(blocksInFlight)
    residentBytes = try stream.number(residentBytes)
    allocatorBytes = try stream.number(allocatorBytes)
    losses = try stream.list(losses, stream.text)
  }
}

/// A dump as bytes: numbers in the order of the processor, texts with their lengths.
///
/// What it is given, it writes, and returns. A stream that reads ignores it, and returns what it reads;
/// it believes none of that.
final class DumpStream {
  /// What was written, or is read.
  private(set) var bytes: ContiguousArray<UInt8>
  // Nil while writing.
  private var position: Int?

  /// Writes.
  init() { (bytes, position) = ([], nil) }

  /// Reads, and begins at some place.
  init(reading bytes: [UInt8], from start: Int) {
    (self.bytes, position) = (ContiguousArray(bytes), start)
  }

  private var rest: Int { bytes.count - (position ?? bytes.count) }

  /// Writes a text without its length.
  func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

  private func byte(_ value: UInt8) throws(DumpError) -> UInt8 {
    guard let place = position else {
      bytes.append(value)
      return value
    }
    guard place < bytes.count else { throw .damaged }
    position = place + 1
    return bytes[place]
  }

  /// A number, in a few bytes when it is small.
  func number(_ value: UInt64?) throws(DumpError) -> UInt64 {
    var (left, number) = (value ?? 0, UInt64(0))
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte(UInt8(left & 0x7f) | (left >= 0x80 ? 0x80 : 0))
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      left >>= 7
    }
    throw .damaged
  }

  /// A whole number that fits.
  func integer<Number: FixedWidthInteger>(_ value: Number?) throws(DumpError) -> Number {
    let read = try number(value.map { UInt64($0) })
    guard let number = Number(exactly: read) else { throw .damaged }
    return number
  }

  // Of things of which each has at least a byte.
  private func count(_ value: Int) throws(DumpError) -> Int {
    let count = try number(UInt64(value))
    guard position == nil || count <= UInt64(rest) else { throw .damaged }
    return Int(count)
  }

  /// A case, by its number.
  func choice<Case: RawRepresentable<UInt8>>(_ value: Case?) throws(DumpError) -> Case {
    guard let choice = Case(rawValue: try integer(value?.rawValue)) else { throw .damaged }
    return choice
  }

  // A name may be shown for each of a million blocks. No path is longer.
  private static let longestText = 4096

  /// A text; of one that is read, no more than shows what it is.
  func text(_ value: String?) throws(DumpError) -> String {
    let count = try count(value?.utf8.count ?? 0)
    guard let place = position else {
      bytes.append(contentsOf: (value ?? "").utf8)
      return value ?? ""
    }
    position = place + count
    return String(decoding: bytes[place..<place + min(count, Self.longestText)], as: UTF8.self)
  }

  /// A value that may be missing.
  func optional<Value>(
    _ value: Value?, _ pass: (Value?) throws(DumpError) -> Value
  ) throws(DumpError) -> Value? { try byte(value == nil ? 0 : 1) == 0 ? nil : try pass(value) }

  /// A list.
  func list<Value>(
    _ items: [Value], _ pass: (Value?) throws(DumpError) -> Value
  ) throws(DumpError) -> [Value] {
    var passed: [Value] = []
    for place in 0..<(try count(items.count)) {
      passed.append(try pass(position == nil ? items[place] : nil))
    }
    return passed
  }

  /// A list of plain numbers as they are in memory.
  func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
    _ list: inout ContiguousArray<Number>
  ) throws(DumpError) {
    let (length, size) = (try number(UInt64(list.count)), MemoryLayout<Number>.size)
    guard let place = position else { return list.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    guard length <= UInt64(rest / size) else { throw .damaged }
    let (count, end) = (Int(length), place + Int(length) * size)
    list = ContiguousArray(unsafeUninitializedCapacity: count) { buffer, used in
      bytes[place..<end].withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
      }
      used = count
    }
    position = end
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
