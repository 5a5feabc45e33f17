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
  func read(_ survey: Survey, _ findings: inout ProbeFindings)

  /// Lets what was planted and waits end.
  func end()
}

extension Planting {
  var references: [PlantedReference] { [] }

  func read(_ survey: Survey, _ findings: inout ProbeFindings) {}

  func end() {}
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
  let name: String?
  /// Whether the runtime counts no other strong reference to the target.
  let isOnly: Bool

  /// A reference from a block to another, by their addresses. Where one is not known, a snapshot shows no
  /// block.
  init(
    _ probe: RuntimeProbe, _ kind: RetainChain.Link.Kind, in holder: UInt?, _ target: UInt?,
    name: String? = nil, isOnly: Bool = false
  ) {
    (self.probe, self.kind, self.name, self.isOnly) = (probe, kind, name, isOnly)
    (self.holder, self.target) = (holder ?? 0, target ?? 0)
  }

  /// A property that refers to something.
  static func field(
    _ probe: RuntimeProbe, of holder: AnyObject, _ name: String, _ target: UInt?,
    isOnly: Bool = true
  ) -> PlantedReference {
    let holder = MemlabHeapReader.address(of: holder)
    return PlantedReference(probe, .field, in: holder, target, name: name, isOnly: isOnly)
  }
}

extension Survey {
  /// What a snapshot that is taken as every later one is shows in place of a reference, as a clause; nil
  /// where it shows the reference as it was planted.
  func fault(of reference: PlantedReference) -> String? {
    guard let holder = block(at: reference.holder), let target = block(at: reference.target) else {
      return "a block is not listed"
    }
    let found = edges.edges(of: holder).filter { edges.target($0) == target }
    let kinds = found.map { "\(edges.kind($0))" }
    guard kinds.contains(reference.kind.rawValue) else {
      return "\(reference.kind) is \(kinds.isEmpty ? "missing" : kinds.joined(separator: ", "))"
    }
    let count = check.found[target]
    if reference.isOnly, count != 1 || check.retainCount(of: target) != 1 {
      return "\(count) references were found"
    }
    guard let name = reference.name else { return nil }
    let seen = ChainBuilder(survey: self, namesFunctions: false).link(from: holder, to: target).name
    return seen == name ? nil : "its name is \(seen ?? "missing")"
  }
}

/// A number that planted code notes for the thread that checks.
final class PlantedWord: Sendable {
  // The complement: the number may be an address, which nothing here may keep alive.
  private let complement = Mutex<UInt?>(nil)

  /// The number; nil until it is noted.
  var word: UInt? {
    get { complement.withLock { $0.map { ~$0 } } }
    set { complement.withLock { $0 = newValue.map { ~$0 } } }
  }

  /// Notes where the calling task is.
  func noteTask() { word = HeapTask.addressOfCurrent }
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
  // The tasks that wait until the check is over; nil once it is.
  private let suspended = Mutex<[UnsafeContinuation<Void, Never>]?>([])

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

  /// Suspends the calling task until ``end()``.
  func waitForEnd() async {
    await withUnsafeContinuation { continuation in
      let isOver = suspended.withLock { suspended in
        suspended?.append(continuation)
        return suspended == nil
      }
      if isOver { continuation.resume() }
    }
  }

  /// Lets every task pass that waits for this, now and from now on, and end.
  func end() {
    let suspended = suspended.withLock { suspended in
      defer { suspended = nil }
      return suspended ?? []
    }
    for continuation in suspended { continuation.resume() }
    run()
  }
}

/// A place in memory that a probe only believes to be what the table says.
///
/// The kernel copies every word, so a wrong offset gives nil or a wrong number, and never a crash.
/// Slower than a ``Region``: the probes read a few hundred words in all.
struct Place {
  /// Where it is; nil where the way to it could not be read.
  let address: UInt?

  /// A place at an address.
  init(_ address: UInt?) { self.address = address }

  /// The metadata of a type.
  init(of type: Any.Type) { address = metadata(of: type) }

  /// An object.
  init(of object: AnyObject) { address = MemlabHeapReader.address(of: object) }

  /// The place some bytes further. Wraps around, for either may be garbage.
  subscript(offset: UInt) -> Place { Place(address.map { $0 &+ offset }) }

  /// The place some bytes before.
  func before(_ distance: UInt) -> Place { self[0 &- distance] }

  /// The 8 bytes there, aligned or not; nil where they cannot be read.
  var word: UInt? { copy(0) }

  /// The 4 bytes there.
  var uint32: UInt32? { copy(0) }

  /// The byte there.
  var byte: UInt8? { copy(0) }

  /// The place whose address is the word there.
  var target: Place { Place(word) }

  /// The place that a 32-bit offset relative to this one means.
  var relative: Place {
    uint32.map { self[UInt(bitPattern: Int(Int32(bitPattern: $0)))] } ?? Place(nil)
  }

  /// Whether a bit is set in the 4 bytes there.
  func bit(_ bit: UInt32) -> Bool? { uint32.map { $0 >> bit & 1 == 1 } }

  /// The zero-terminated text there, if it has at most 63 bytes.
  var text: String? {
    let bytes = bytes(count: 64)
    return bytes.firstIndex(of: 0).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }

  /// As many of some bytes there as can be read.
  func bytes(count: Int) -> [UInt8] {
    guard let address else { return [] }
    var bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = max(0, memlab_memory_copy_some(address, buffer.baseAddress, count))
    }
    // The kernel may copy all or nothing, or not copy for us at all.
    while bytes.count < count, let byte = self[UInt(bytes.count)].byte { bytes.append(byte) }
    return bytes
  }

  /// The words of a stretch of memory, up to 4096 bytes; none where they cannot be read.
  func words(bytes: UInt) -> [UInt] {
    var words = [UInt](repeating: 0, count: Int(min(bytes, 4096) / 8))
    let isRead = words.withUnsafeMutableBytes {
      memlab_memory_copy(address ?? 0, $0.baseAddress, $0.count) == 1
    }
    return isRead ? words : []
  }

  /// How many bytes of a block of the allocator's may be in use: glibc keeps a chunk's size before it.
  var room: UInt? { before(8).word.map { ($0 & ~7) &- 8 } }

  /// Whether it is loaded code.
  var isCode: Bool { address.map { LoadedSegments.current().isCode($0) } ?? false }

  /// Whether it belongs to a loaded image.
  var isInImage: Bool { address.map { LoadedSegments.current().segment(at: $0) != nil } ?? false }

  private func copy<Value: BitwiseCopyable>(_ zero: Value) -> Value? {
    var value = zero
    let isRead = memlab_memory_copy(address ?? 0, &value, MemoryLayout<Value>.size) == 1
    return isRead ? value : nil
  }
}
