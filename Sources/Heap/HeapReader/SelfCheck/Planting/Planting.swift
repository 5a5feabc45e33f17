import MemlabHeapModel
import MemlabRuntimeABI

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
}
