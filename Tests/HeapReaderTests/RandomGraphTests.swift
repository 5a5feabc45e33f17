import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Synchronization
import Testing

extension HeapWitness {
  @Suite("Objects that refer to one another in all ways, at random") struct RandomGraphTests {
    /// The runtime counts the strong references to each object, and knows nothing of this reader.
    @Test(
      "each object has as many references as the runtime counts",
      arguments: 1...100 as ClosedRange<UInt64>)
    func counts(seed: UInt64) throws {
      defer { Node.all = [] }
      let snapshot = try snapshot { Node.all = Node.random(40, references: 200, seed: seed) }
      defer { for node in Node.all { node.clear() } }
      let paths = snapshot.retainChains(to: [name(Node.self)])
      #expect(paths.count == 40)
      for (path, node) in zip(paths, Node.all) {
        #expect(path.referencesFound == path.retainCount, "referred to \(node.ways)")
      }
    }
  }
}

/// Something with a place for every kind of reference that a Swift object can have.
private final class Node: Hashable, Error, @unchecked Sendable {
  nonisolated(unsafe) static var all: [Node] = []

  /// In which ways others have come to refer to it.
  private(set) var ways: [Int] = []
  private var one: Node?
  private var list: [Node] = []
  private var gaps: [Node?] = []
  private var pairs: [(Node, Int8)] = []
  private var lists: [[Node]] = []
  private var slice: ArraySlice<Node> = []
  private var values: [Int: Node] = [:]
  private var keys: [Node: Bool] = [:]
  private var members: Set<Node> = []
  private var choices: [Choice] = []
  private var links: [Link] = []
  private var anything: [Any] = []
  private var failures: [any Error] = []
  private var results: [Result<Node, any Error>] = []
  private var actions: [() -> Node] = []
  private var boxes: [Any] = []
  private var choice = Choice.nothing
  private var result: Result<Node, any Error>?
  private var pair: (Int8, Node?, Bool)?
  private let locked = Mutex<Node?>(nil)
  private var stream: (AsyncStream<Node>, AsyncStream<Node>.Continuation)?
  private weak var weakly: Node?
  private unowned(unsafe) var unsafely: Node?
  private unowned var unownedly: Node?
  private var plain: Unmanaged<Node>?

  private enum Choice {
    case nothing
    case one(Node)
    case two(Node, Node?)
    case text(String)
    case weak(Link)
    indirect case boxed(Node, Int)
  }

  private struct Link: Error {
    var to: Node
    unowned var from: Node
    weak var by: Node?
  }

  private final class Box<Value> {
    let number: Int8
    let value: Value

    init(_ value: Value) {
      self.value = value
      number = 1
    }

    func action(_ node: Node) -> () -> Node { { [value] in value is Int ? node : node } }
  }

  static func == (one: Node, other: Node) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Some objects, and references from any to any.
  static func random(_ count: Int, references: Int, seed: UInt64) -> [Node] {
    var dice = Dice(state: seed)
    let nodes = (0..<count).map { _ in Node() }
    for _ in 0..<references {
      let (from, to, way) = (nodes[dice.roll(count)], nodes[dice.roll(count)], dice.roll(22))
      to.ways.append(way)
      from.refer(to: to, way: way)
    }
    return nodes
  }

  private func refer(to node: Node, way: Int) {
    switch way {
    case 0: one = node
    case 1: list.append(node)
    case 2: gaps += [nil, node]
    case 3: pairs.append((node, 1))
    case 4: lists.append([node, self])
    case 5: slice = [self, node, node][1...]
    case 6: values[values.count] = node
    case 7: keys[node] = true
    case 8: members.insert(node)
    case 9: choices += [.nothing, .one(node), .text("no object, but a long text beside it")]
    case 10: choices += [.two(node, self), .boxed(node, 1), .weak(Link(to: self, from: node))]
    case 11: links.append(Link(to: node, from: self, by: node))
    case 12: anything += [node, 1, (node, "two"), Link(to: self, from: node, by: node)]
    case 13: failures += [node, Link(to: node, from: self)]
    case 14: results += [.success(node), .failure(node), .failure(Link(to: self, from: node))]
    case 15: act(on: node)
    case 16: boxes += [Box(node), Box((1 as Int8, node)), Box(Link(to: node, from: self))]
    case 17: choice = ways.count % 2 == 0 ? .one(node) : .weak(Link(to: self, from: node))
    case 18: (result, pair) = (.success(node), (1, node, true))
    case 19: locked.withLock { $0 = node }
    case 20: queue(node)
    default: (weakly, unsafely, unownedly, plain) = (node, node, node, .passUnretained(node))
    }
  }

  private func act(on node: Node) {
    let number = Int8(ways.count)
    var latest: Node? = self
    actions += [
      { node }, { [weak self] in self ?? node }, { [unowned self] in number > 0 ? self : node },
      {
        latest = number > 100 ? nil : latest
        return latest ?? node
      },
    ]
    actions += [Box(node).action(self), Box(1).action(node), Box((number, node)).action(self)]
  }

  private func queue(_ node: Node) {
    if stream == nil { stream = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(5)) }
    for _ in 1...4 { stream?.1.yield(node) }
  }

  /// Releases everything.
  func clear() {
    (one, list, gaps, pairs, lists, slice) = (nil, [], [], [], [], [])
    (values, keys, members, choices, links) = ([:], [:], [], [], [])
    (anything, failures, results, actions, boxes) = ([], [], [], [], [])
    (choice, result, pair, stream) = (.nothing, nil, nil, nil)
    locked.withLock { $0 = nil }
  }
}

/// Numbers that look random, and are the same in every run.
private struct Dice {
  var state: UInt64

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % sides
  }
}

@Suite("Memory that may not be mapped") struct MemoryCopyTests {
  /// Of arm64's kernels some have pages of 16 or 64 KiB.
  private let page = memlab_memory_page_size()

  /// Both ways of asking the kernel.
  enum Way: CaseIterable {
    case direct, pipe

    func copy(_ address: UInt, _ count: Int) -> (answer: Int32, bytes: [UInt8]) {
      var bytes = [UInt8](repeating: 0, count: count)
      let copy = self == .direct ? memlab_memory_copy : memlab_memory_copy_through_pipe
      return (copy(address, &bytes, count), bytes)
    }
  }

  @Test("is copied where it can be read", arguments: Way.allCases) func readable(way: Way) {
    let source = Array("sixteen letters.".utf8)
    let (answer, bytes) = source.withUnsafeBytes { way.copy(UInt(bitPattern: $0.baseAddress), 16) }
    #expect(answer == 1)
    #expect(bytes == source)
  }

  @Test("is told from memory that can't be read", arguments: Way.allCases)
  func unreadable(way: Way) throws {
    let pages = try #require(mmap(nil, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    mprotect(pages + page, page, PROT_NONE)
    let end = UInt(bitPattern: pages + page)
    let wild: [UInt] = [0x10, 0x7000_0000, end - 8, .max & ~7]
    for address in wild { #expect(way.copy(address, 16).answer == 0) }
    #expect(way.copy(end - 16, 16).answer == 1)
    munmap(pages, 2 * page)
  }

  /// Forty pages of which one cannot be read, and how many bytes can be from a place on.
  private func withGap(_ body: (_ start: UInt, _ from: Int, _ expected: Int) -> Void) throws {
    let size = 40 * page
    let pages = try #require(
      mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(pages, size) }
    for number in 0..<40 {
      pages.storeBytes(of: UInt8(number), toByteOffset: number * page, as: UInt8.self)
    }
    mprotect(pages + 20 * page, page, PROT_NONE)
    for (from, expected) in [
      (0, 20 * page), (8, 20 * page - 8), (20 * page, 0), (21 * page, 19 * page),
    ] { body(UInt(bitPattern: pages), from, expected) }
  }

  // As a container asks that forbids `process_vm_readv`, and an emulator that does not have it.
  @Test("is copied through a pipe up to what can't be read") func pipeUpToGap() throws {
    try withGap { start, from, expected in
      let count = 40 * page - from
      var bytes = [UInt8](repeating: 0, count: count)
      let copied = memlab_memory_copy_some_through_pipe(start + UInt(from), &bytes, count)
      #expect(copied == expected)
      for place in stride(from: (from + page - 1) & ~(page - 1), to: from + expected, by: page) {
        #expect(bytes[place - from] == UInt8(place / page))
      }
    }
  }

  // A thread's stack, and behind it the guard of the next thread's.
  @Test("is read up to what can't be read") func upToGap() throws {
    try withGap { start, from, expected in
      var read: UInt = 0
      let end = start + UInt(40 * page)
      let isReadable = MemoryCopy.readUpToGap(start + UInt(from)..<end) { read += $0.count }
      #expect(read == UInt(expected))
      #expect(isReadable == (expected > 0))
    }
  }
}
