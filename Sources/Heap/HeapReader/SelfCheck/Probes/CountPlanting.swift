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
    deinit { note(Place(of: self)[abi.object.counts].word) }
  }

  private let counted = Seed()
  private let references: [Seed]
  private let holder: Holder
  private let watched = Seed()
  private let watcher = Watcher()
  private var dying: UInt?
  // Asked beforehand: optimised code may retain an object to ask it where it is.
  private let places: (counted: UInt, watched: UInt)

  /// Plants strong, unowned and weak references, and lets an object be deinitialized.
  init() {
    references = Array(repeating: counted, count: 5)
    holder = Holder(counted)
    (watcher.first, watcher.second) = (watched, watched)
    places = (counted.address, watched.address)
    var counts: UInt?
    do { _ = Dying { counts = $0 } }
    dying = counts
  }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.object
    let counts = Place(places.counted)[rows.counts].word
    let strong = counts.map { $0 >> rows.strongBit & 0x3fff_ffff }
    let unowned = counts.map { ($0 & 0xffff_ffff) >> rows.unownedBit }
    // Five in the array and one in the property; the count is one less. Three unowned; one more.
    findings.expect("object.strongBit", strong == 5)
    findings.expect("object.unownedBit", unowned == 4)
    findings.expect("object.counts", strong == 5 && unowned == 4)
    let hasEnded = [counts, dying].map { counts in counts.map { $0 >> rows.deinitBit & 1 == 1 } }
    findings.expect("object.deinitBit", hasEnded == [false, true])
    let bits = Place(places.watched)[8].word ?? 0
    let plain = Place(places.counted)[8].word ?? 0
    let bit = rows.sideTableBit
    findings.expect("object.sideTableBit", bits >> bit == 3 && plain >> bit == 0)
    let table = Place(bits << rows.sideTableShift)
    findings.expect(
      ["object.sideTableShift", "sideTable.object"],
      table[abi.sideTable.object].word == places.watched)
    let ofTable = table[abi.sideTable.counts].word ?? 0
    findings.expect("sideTable.counts", ofTable >> 33 == 0 && ofTable & 0xffff_ffff == 3)
    // Two weak references; one more.
    findings.expect("sideTable.weakCount", table[abi.sideTable.weakCount].uint32 == 3)
  }

  func read(_ survey: Survey, _ findings: inout ProbeFindings) {
    let table = survey.block(at: (Place(places.watched)[8].word ?? 0) << 3)
    findings.expect("sideTable.size", table.map { survey.kinds[$0] } == .sideTable)
  }
}
