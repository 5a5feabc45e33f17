import MemlabRuntimeABI
import Synchronization

/// Calls that libdispatch has noted: one of a queue that makes no progress, and one that a concurrent
/// queue has passed on to it.
struct DispatchPlanting: Planting {
  private typealias Call = @convention(c) (UInt) -> Void
  private typealias Make = @convention(c) (UnsafePointer<CChar>, UInt, UInt) -> UInt
  private typealias Submit = @convention(c) (UInt, UInt, Call) -> Void

  /// What was seen; nil where libdispatch is not loaded.
  private let seen = DispatchPlanting.plant()

  private struct Seen {
    /// Where the calls were noted.
    var calls: [UInt]
    /// How many bytes of these blocks may be in use.
    var rooms: [UInt]
    /// The words of these blocks while the calls were still to be made.
    var words: [[UInt]]
    /// The name of the thread that made the calls.
    var worker: String?
  }

  // What the planted calls are given: no addresses of anything.
  private static let (direct, passedOn): (UInt, UInt) = (0x5eed1, 0x5eed2)
  private static let name = Mutex<String?>(nil)
  private static let call: Call = { _ in
    let thread = ProcessThread(id: ProcessThread.current).systemName
    name.withLock { $0 = thread }
  }

  // Plants the calls, notes what is seen of them, and has them made.
  private static func plant() -> Seen? {
    guard let make = CFunction.named("dispatch_queue_create_with_target", as: Make.self),
      let attribute = CFunction.address("_dispatch_queue_attr_concurrent"),
      let suspend = CFunction.named("dispatch_suspend", as: Call.self),
      let resume = CFunction.named("dispatch_resume", as: Call.self),
      let release = CFunction.named("dispatch_release", as: Call.self),
      let submit = CFunction.named("dispatch_async_f", as: Submit.self),
      let wait = CFunction.named("dispatch_sync_f", as: Submit.self)
    else { return nil }
    let target = make("memlab planted", 0, 0)
    suspend(target)
    let concurrent = make("memlab concurrent", attribute, target)
    submit(target, direct, call)
    submit(concurrent, passedOn, call)
    // The calls are in the queue's list: the address of the first stands in the queue.
    let first = Place(target).words(bytes: 128).first { word in
      word & 15 == 0 && Place(word)[40].word == direct
    }
    let calls = [first, Place(first)[16].word].compactMap(\.self)
    let rooms = calls.map { Place($0).room ?? 0 }
    let words = calls.map { Place($0).words(bytes: 64) }
    resume(target)
    // Behind the others: when this returns, they have been made.
    wait(target, 0) { _ in }
    release(concurrent)
    release(target)
    return Seen(calls: calls, rooms: rooms, words: words, worker: name.withLock { $0 })
  }

  func compare(_ findings: inout ProbeFindings) {
    guard let seen else { return }
    let rows = abi.dispatch
    let isPlanted = seen.calls.count == 2 && seen.words.allSatisfy { $0.count == 8 }
    // Whole lines of the processor's cache; the allocator gives eight bytes more.
    findings.expect(
      "dispatch.size",
      isPlanted && rows.size % 64 == 0 && seen.rooms.allSatisfy { $0 &- rows.size < 64 })
    guard isPlanted else { return }
    func word(_ call: Int, _ offset: UInt) -> UInt? {
      offset % 8 == 0 && offset < 64 ? seen.words[call][Int(offset / 8)] : nil
    }
    let function = unsafeBitCast(Self.call, to: UInt.self)
    findings.expect("dispatch.function", word(0, rows.function) == function)
    findings.expect("dispatch.argument", word(0, rows.argument) == Self.direct)
    findings.expect("dispatch.next", word(0, rows.next) == seen.calls[1])
    // A call that is passed on has neither, as long as it is to be made.
    findings.expect("dispatch.priority", word(1, rows.priority) == .max)
    findings.expect("dispatch.voucher", word(1, rows.voucher) == .max)
    // Then the thread keeps its memory, and numbers it where the priority was.
    let place = Place(seen.calls[1])[8]
    let number = place.uint32 ?? 0
    findings.expect("dispatch.kept", place[4].uint32 == .max && number >= 1 && number <= rows.kept)
    // In Swift 6.2, libdispatch does not name its threads.
    guard !RuntimeColumn.isBefore63 else { return }
    findings.expect(
      "libraries.workerThread", seen.worker?.contains(abi.libraries.workerThread) == true)
  }
}
