import MemlabHeapModel
import MemlabRuntimeABI

/// `Any`, boxes and errors.
struct ExistentialPlanting: Planting {
  private protocol Plain {}
  private protocol OfElement<Element> { associatedtype Element }

  private struct Large: Plain {
    var marker = 0x5eed_5eed_5eed
    var numbers = (1, 2, 3)
    var seed = Seed()
  }

  private struct Failure: Error { let seed = Seed() }

  private final class Holder {
    var inline: Any
    var boxed: Any
    var error: any Error
    init(_ seed: Seed, _ large: Large, _ failure: Failure) {
      (inline, boxed, error) = (seed, ExistentialPlanting.erased(large), failure)
    }
  }

  // Not specialized: the runtime makes the box, and not the compiler.
  @_optimize(none) @inline(never)
  private static func erased<Value>(_ value: Value) -> Any { value }

  private let seed = Seed()
  private let large = Large()
  private let failure = Failure()
  private let holder: Holder

  /// Plants a value in its container, one in a box, and an error.
  init() { holder = Holder(seed, large, failure) }

  // The properties follow the header: two containers of four words, and a reference.
  private var inline: UInt { address(of: holder) + 16 }
  private var boxed: UInt { inline + 32 }
  private var box: UInt? { Peek.word(boxed) }
  private var error: UInt? { Peek.word(boxed + 32) }

  func compare(_ findings: inout ProbeFindings) {
    let any = metadata(of: Any.self)
    findings.expect("kind.existential", Peek.word(any) == abi.kind.existential)
    findings.expect(
      "kind.extendedExistential",
      Peek.word(metadata(of: (any OfElement<Int>).self)) == abi.kind.extendedExistential)
    let place = abi.type.existentialFlags
    let bit = UInt32(abi.type.anyValueBit)
    let ofObject = metadata(of: AnyObject.self) + place
    for row in ["type.existentialFlags", "type.anyValueBit"] {
      findings.expect(row, bit: bit, in: any + place, notIn: ofObject)
    }
    let typePlace = abi.container.type
    findings.expect("container.type", Peek.word(inline + typePlace) == metadata(of: Seed.self))
    findings.expect("container.type", Peek.word(boxed + typePlace) == metadata(of: Large.self))
    func flags(of type: Any.Type) -> UInt? { Peek.word(metadata(of: type) &- 8) + 80 }
    findings.expect(
      "witness.notInlineBit", bit: abi.witness.notInlineBit, in: flags(of: Large.self),
      notIn: flags(of: Seed.self))
    compareBoxes(&findings)
  }

  private func compareBoxes(_ findings: inout ProbeFindings) {
    let type = Peek.word(box)
    findings.expect("kind.genericBox", Peek.word(type) == abi.kind.genericBox)
    let offset = Peek.uint32(type + abi.box.offset).map { UInt($0) }
    findings.expect("box.offset", offset.flatMap { Peek.word(box + $0) } == UInt(large.marker))
    findings.expect("box.type", Peek.word(type + abi.box.type) == metadata(of: Large.self))
    findings.expect("kind.error", Peek.word(Peek.word(error)) == abi.kind.error)
    findings.expect("error.type", Peek.word(error + abi.error.type) == metadata(of: Failure.self))
  }

  var references: [PlantedReference] {
    [
      .field(.existentials, of: holder, "inline", seed.address, isOnly: false),
      .field(.existentials, of: holder, "boxed", box, isOnly: false),
      .capture(.boxes, of: box, large.seed),
      .field(.errors, of: holder, "error", error, isOnly: false),
    ]
  }
}
