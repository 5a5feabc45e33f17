internal import CHeapRecorder

/// Where the Swift 6.3 runtime on 64-bit Linux keeps what the heap trace reads.
///
/// None of it is documented. ``HeapSelfCheck`` plants a graph and reads it back, so that a runtime
/// that does it differently is noticed and not misread.
enum RuntimeLayout {
  /// Kind words of heap metadata.
  enum Kind {
    static let classObject: UInt = 0
    static let context: UInt = 0x400
    static let genericBox: UInt = 0x500
    static let error: UInt = 0x501
  }

  /// Offsets into class metadata.
  enum ClassMetadata {
    static let destroyer: UInt = 16  // before the address point
    static let superclass: UInt = 8
    static let addressPoint: UInt = 20
    static let instanceSize: UInt = 24
    static let descriptor: UInt = 40
    static let size: UInt = 56
  }

  /// Offsets into a class's nominal type descriptor.
  enum ClassDescriptor {
    static let name: UInt = 8
    static let accessor: UInt = 12
    static let fields: UInt = 16
    static let resilientBounds: UInt = 24
    static let positiveWords: UInt = 28
    static let immediateMembers: UInt = 32
    static let fieldCount: UInt = 36
    static let fieldOffsets: UInt = 40
    static let size: UInt = 44
    static let kindMask: UInt32 = 0x1f
    static let version: UInt32 = 0xff00
    static let classKind: UInt32 = 16
    static let isGeneric: UInt32 = 0x80
    static let hasResilientSuperclass: UInt32 = 1 << 29
  }

  /// Offsets into a value witness table.
  enum Witness {
    static let size: UInt = 64
    static let stride: UInt = 72
    static let flags: UInt = 80
    static let enumTag: UInt = 88
    static let alignmentMask: UInt32 = 0xff
    static let isNotPlain: UInt32 = 0x1_0000
    static let isNotInline: UInt32 = 0x2_0000
  }

  /// Offsets into a task and masks for its flags.
  enum Task {
    static let size: UInt = 208
    static let nextWaiter: UInt = 16
    static let flags: UInt = 32
    static let lowID: UInt = 36
    static let resume: UInt = 56
    static let resumeContext: UInt = 64
    static let status: UInt = 96
    static let records: UInt = 104
    static let firstSlab: UInt = 120
    // A job's kind is its lowest byte, zero for a task; its priority is the next.
    static let kindMask: UInt32 = 0xff
    static let highestPriority: UInt32 = 0x21
    static let isChild: UInt32 = 1 << 24
    static let isGroupChild: UInt32 = 1 << 26
    static let isFuture: UInt32 = 1 << 25
    static let isCancelled: UInt32 = 0x100
    static let isEnqueued: UInt32 = 0x1000
    static let isRunning: UInt32 = 0x800
    static let isComplete: UInt32 = 0x2000
    static let nameRecord: UInt = 6
  }

  /// Offsets into a slab of a task's allocator.
  enum Slab {
    static let next: UInt = 8
    static let used: UInt = 20
    static let header: UInt = 32
  }

  /// The layout version that `libswift_Concurrency` exports, and the only one known here.
  static let knownVersion: UInt32 = 1
}

/// The values that `libswift_Concurrency` exports for debuggers.
struct RuntimeSymbols {
  /// The first word of every task.
  let taskMetadata: UInt
  /// The first word of every slab of a task's allocator.
  let slabMetadata: UInt
  /// The version of the layout of tasks.
  let layoutVersion: UInt32
  /// A task's size in bytes, without what follows its fixed part.
  let taskSize: UInt

  /// The values of this process; nil where the library doesn't export them.
  static let current = RuntimeSymbols()

  private init?() {
    func address(_ name: String) -> UInt? {
      loaded_symbol("_swift_concurrency_debug_" + name).map { UInt(bitPattern: $0) }
    }
    guard let task = address("asyncTaskMetadata"), let slab = address("asyncTaskSlabMetadata"),
      let version = address("internal_layout_version"), let size = address("asyncTaskSize")
    else { return nil }
    taskMetadata = Memory.word(task)
    slabMetadata = Memory.word(slab)
    layoutVersion = Memory.half(version)
    taskSize = Memory.word(size)
  }
}
