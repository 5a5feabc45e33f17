import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI
import Synchronization

/// Things of one family, planted when the value is made and alive as long as it is, and the check of
/// the rows that describe them.
protocol Planting {
  /// Compares the rows with what was planted, word by word. Nothing is followed on trust, so a wrong
  /// row makes this fail and nothing else.
  func compare(_ findings: inout ProbeFindings)

  /// The references that a snapshot must find.
  var references: [PlantedReference] { get }

  /// Looks for what else a snapshot must show.
  func read(_ reading: PlantedReading, _ findings: inout ProbeFindings)
}

extension Planting {
  var references: [PlantedReference] { [] }

  func read(_ reading: PlantedReading, _ findings: inout ProbeFindings) {}
}

/// A reference that was planted.
struct PlantedReference {
  /// What fails where the snapshot does not show it.
  let probe: RuntimeProbe
  /// The address of the block that it is in.
  let holder: UInt
  /// The address of what it refers to.
  let target: UInt
  /// What it is.
  let kind: RetainChain.Link.Kind
  /// The property's name or the element's index; nil where there is none.
  var name: String?
  /// Whether the runtime counts no other strong reference to the target.
  var isOnly = true

  /// A property that refers to something.
  static func field(
    _ probe: RuntimeProbe, of holder: AnyObject, _ name: String, _ target: UInt?,
    isOnly: Bool = true
  ) -> PlantedReference {
    PlantedReference(
      probe: probe, holder: MemlabHeapReader.address(of: holder), target: target ?? 0,
      kind: .field, name: name, isOnly: isOnly)
  }

  /// A capture of a closure, or what is in a box.
  static func capture(_ probe: RuntimeProbe, of block: UInt?, _ target: Seed) -> PlantedReference {
    PlantedReference(
      probe: probe, holder: block ?? 0, target: target.address, kind: .capture, isOnly: false)
  }
}

/// Looks for what was planted in a snapshot that is taken as every later one is.
struct PlantedReading {
  /// What was read.
  let survey: Survey

  /// What the snapshot shows in place of a reference, as a clause; nil where it shows the reference
  /// as it was planted.
  func fault(of reference: PlantedReference) -> String? {
    guard let holder = survey.block(at: reference.holder),
      let target = survey.block(at: reference.target)
    else { return "a block is not listed" }
    let found = survey.edges.edges(of: holder).filter { survey.edges.target($0) == target }
    guard found.contains(where: { survey.edges.kind($0).isKind(reference.kind) }) else {
      let kinds = found.map { "\(survey.edges.kind($0))" }
      return "\(reference.kind) is \(kinds.isEmpty ? "missing" : kinds.joined(separator: ", "))"
    }
    if reference.isOnly, !isOnlyReference(to: target) {
      return "\(survey.check.found[target]) references were found"
    }
    guard let name = reference.name else { return nil }
    let seen = builder.link(from: holder, to: target).name
    return seen == name ? nil : "its name is \(seen ?? "missing")"
  }

  /// Whether a task is the root of an object, under its name.
  func task(_ name: String, isRootOf object: UInt) -> Bool {
    guard let block = survey.block(at: object) else { return false }
    let root = builder.chain(to: block).root
    return root.kind == .task && root.node.name == name
  }

  /// Whether a block is what it should be.
  func kind(at address: UInt) -> HeapBlockKind? {
    survey.block(at: address).map { survey.kinds[$0] }
  }

  private var builder: ChainBuilder { ChainBuilder(survey: survey, namesFunctions: false) }

  private func isOnlyReference(to block: Int) -> Bool {
    survey.check.found[block] == 1 && survey.check.retainCount(of: block) == 1
  }
}

extension EdgeKind {
  /// Whether a report calls a reference of this kind so.
  fileprivate func isKind(_ kind: RetainChain.Link.Kind) -> Bool {
    switch kind {
    case .field: self == .field
    case .element: self == .element
    case .capture: self == .capture
    case .body: self == .body
    case .result: self == .result
    case .frame: self == .frame
    default: false
    }
  }
}

/// The first word of an executor's identity, which a thread without a task notes.
final class PlantedIdentity: Sendable {
  private let noted = Mutex<UInt?>(nil)

  /// What was noted; nil where the runtime cannot be asked.
  var word: UInt? { noted.withLock { $0 } }

  /// Notes that of the calling thread's executor.
  func note() {
    typealias Current = @convention(c) () -> UInt
    let current = CFunction.named("swift_task_getCurrentExecutor", as: Current.self)
    let word = current.map { $0() }
    noted.withLock { $0 = word }
  }
}

/// A number that a planted task notes for the thread that checks.
final class PlantedWord: Sendable {
  // The complement: the number may be an address, which nothing here may keep alive.
  private let complement = Mutex<UInt?>(nil)

  /// The number; nil until it is noted.
  var word: UInt? {
    get { complement.withLock { $0.map { ~$0 } } }
    set { complement.withLock { $0 = newValue.map { ~$0 } } }
  }

  /// Notes where the calling task is.
  func noteTask() {
    withUnsafeCurrentTask { task in word = task.map { unsafeBitCast($0, to: UInt.self) } }
  }
}

/// What is planted everywhere: an object that other things refer to.
class Seed: @unchecked Sendable {
  /// Something for the compiler to keep.
  var number = 0

  /// Where the object is, as a number that keeps nothing alive.
  var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

/// Another one, to tell two properties apart by their types.
final class OtherSeed: Seed, @unchecked Sendable {}

/// The address of a type's metadata.
func metadata(of type: Any.Type) -> UInt { unsafeBitCast(type, to: UInt.self) }

/// Where an object is, as a number that keeps nothing alive.
func address(of object: AnyObject) -> UInt {
  UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}

/// Where a task is, as a number that keeps nothing alive.
func address<Success, Failure>(of task: Task<Success, Failure>) -> UInt {
  unsafeBitCast(task, to: UInt.self)
}

/// Runs the planted tasks, one step at a time, on the thread that checks.
///
/// So the check needs neither the process's executors nor their threads: it waits for nothing, and a
/// scheduler that is stuck cannot make it fail.
final class PlantedExecutor: TaskExecutor {
  /// One for tasks that end at once.
  static let shared = PlantedExecutor()

  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Where the jobs begin that wait for ``run()``.
  var waiting: [UInt] { jobs.withLock { jobs in jobs.map { unsafeBitCast($0, to: UInt.self) } } }

  /// Runs what is ready, and what that makes ready, until all of it waits or has ended.
  ///
  /// - Parameter limit: how many jobs are run.
  func run(atMost limit: Int = .max) {
    var count = 0
    while count < limit, let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
  }
}

/// Where planted tasks wait until the check is over.
final class PlantedGate: Sendable {
  private let waiting = Mutex<[UnsafeContinuation<Void, Never>]?>([])

  /// Suspends the calling task until ``open()``.
  func pass() async {
    await withUnsafeContinuation { continuation in
      let isOpen = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets every task pass, now and from now on.
  func open() {
    let waiting = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Reads memory that a probe only believes to be where the table says.
///
/// The kernel copies every word, so a wrong offset gives nil or a wrong number, and never a crash.
/// Slower than a ``Region``: the probes read a few hundred words in all.
enum Peek {
  /// The 8 bytes at an address, aligned or not; nil where they cannot be read.
  static func word(_ address: UInt?) -> UInt? { copy(address, 0 as UInt) }

  /// The 4 bytes at an address.
  static func uint32(_ address: UInt?) -> UInt32? { copy(address, 0 as UInt32) }

  /// Whether a bit is set in the 4 bytes at an address.
  static func bit(_ bit: UInt32, _ address: UInt?) -> Bool? {
    uint32(address).map { $0 >> bit & 1 == 1 }
  }

  /// The byte at an address.
  static func byte(_ address: UInt?) -> UInt8? { copy(address, 0 as UInt8) }

  /// The address that a 32-bit offset relative to its own place means.
  static func relative(_ address: UInt?) -> UInt? {
    guard let address, let offset = uint32(address) else { return nil }
    return UInt(bitPattern: Int(bitPattern: address) &+ Int(Int32(bitPattern: offset)))
  }

  /// The zero-terminated text at an address, if it has at most 63 bytes.
  static func text(_ address: UInt?) -> String? {
    let bytes = bytes(at: address, count: 64)
    return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  /// As many of some bytes at an address as can be read.
  static func bytes(at address: UInt?, count: Int) -> [UInt8] {
    guard let address else { return [] }
    var bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, memory_copy_some(address, buffer.baseAddress, count))
    }
    // The kernel may copy all or nothing, or not copy for us at all.
    while bytes.count < count, let byte = byte(address &+ UInt(bytes.count)) { bytes.append(byte) }
    return bytes
  }

  /// The words of a stretch of memory, up to 4096 bytes; none where they cannot be read.
  static func words(from address: UInt, bytes: UInt) -> [UInt] {
    var words = [UInt](repeating: 0, count: Int(min(bytes, 4096) / 8))
    let isRead = words.withUnsafeMutableBytes {
      memory_copy(address, $0.baseAddress, $0.count) == 1
    }
    return isRead ? words : []
  }

  /// How many bytes of a block of the allocator's may be in use: glibc keeps a chunk's size before it.
  static func room(of block: UInt?) -> UInt? { word(block + (0 &- 8)).map { ($0 & ~7) &- 8 } }

  /// Whether an address is that of loaded code.
  static func isCode(_ address: UInt?) -> Bool {
    address.map { LoadedSegments.current().isCode($0) } ?? false
  }

  /// Whether an address belongs to a loaded image.
  static func isInImage(_ address: UInt?) -> Bool {
    address.map { LoadedSegments.current().segment(at: $0) != nil } ?? false
  }

  private static func copy<Value: BitwiseCopyable>(_ address: UInt?, _ zero: Value) -> Value? {
    var value = zero
    guard let address, memory_copy(address, &value, MemoryLayout<Value>.size) == 1 else {
      return nil
    }
    return value
  }
}

extension UInt? {
  /// An address some bytes further; nil stays nil. Wraps around, for either may be garbage.
  static func + (address: UInt?, offset: UInt) -> UInt? { address.map { $0 &+ offset } }
}
