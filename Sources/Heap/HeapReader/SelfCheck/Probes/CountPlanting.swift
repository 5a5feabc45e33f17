import MemlabHeapModel
import MemlabRuntimeABI

/// Reference counts, in an object and in the side table of one that has weak references.
struct CountPlanting: Planting {
  private final class Holder {
    unowned let first: Seed
    unowned let second: Seed
    unowned let third: Seed
    init(_ seed: Seed) { (first, second, third) = (seed, seed, seed) }
  }

  private final class Watcher {
    weak var first: Seed?
    weak var second: Seed?
  }

  /// Reads its own counts while it is deinitialized.
  private final class Dying {
    let note: (UInt?) -> Void
    init(_ note: @escaping (UInt?) -> Void) { self.note = note }
    deinit {
      note(Peek.word(address(of: self) + abi.object.counts))
    }
  }

  private let counted = Seed()
  private let references: [Seed]
  private let holder: Holder
  private let watched = Seed()
  private let watcher = Watcher()
  private var dying: UInt?

  /// Plants strong, unowned and weak references, and lets an object be deinitialized.
  init() {
    references = Array(repeating: counted, count: 5)
    holder = Holder(counted)
    (watcher.first, watcher.second) = (watched, watched)
    var counts: UInt?
    do { _ = Dying { counts = $0 } }
    dying = counts
  }

  func compare(_ findings: inout ProbeFindings) {
    let counts = Peek.word(counted.address + abi.object.counts)
    let strong = counts.map { $0 >> abi.object.strongBit & 0x3fff_ffff }
    let unowned = counts.map { ($0 & 0xffff_ffff) >> abi.object.unownedBit }
    // Five in the array and one in the property; the count is one less. Three unowned; one more.
    findings.expect("object.strongBit", strong == 5)
    findings.expect("object.unownedBit", unowned == 4)
    findings.expect("object.counts", strong == 5 && unowned == 4)
    let isAlive = counts.map { $0 >> abi.object.deinitBit & 1 == 0 } ?? false
    let isDying = dying.map { $0 >> abi.object.deinitBit & 1 == 1 } ?? false
    findings.expect("object.deinitBit", isAlive && isDying)
    compareSideTable(&findings)
  }

  private func compareSideTable(_ findings: inout ProbeFindings) {
    let bits = Peek.word(watched.address + 8) ?? 0
    let plain = Peek.word(counted.address + 8) ?? 0
    let bit = abi.object.sideTableBit
    findings.expect("object.sideTableBit", bits >> bit == 3 && plain >> bit == 0)
    let table = bits << abi.object.sideTableShift
    findings.expect(
      ["object.sideTableShift", "sideTable.object"],
      Peek.word(table + abi.sideTable.object) == watched.address)
    let counts = Peek.word(table + abi.sideTable.counts)
    findings.expect(
      "sideTable.counts", counts.map { $0 >> 33 == 0 && $0 & 0xffff_ffff == 3 } ?? false)
    // Two weak references; one more.
    findings.expect("sideTable.weakCount", Peek.uint32(table + abi.sideTable.weakCount) == 3)
  }

  func read(_ reading: PlantedReading, _ findings: inout ProbeFindings) {
    let table = (Peek.word(watched.address + 8) ?? 0) << 3
    findings.expect("sideTable.size", reading.kind(at: table) == .sideTable)
  }
}
