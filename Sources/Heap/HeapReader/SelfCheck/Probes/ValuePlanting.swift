import MemlabHeapModel
import MemlabRuntimeABI

/// Values in properties: structures, enumerations and tuples.
struct ValuePlanting: Planting {
  private struct Structure {
    var number: Int
    var seed: Seed
    var other: OtherSeed
  }

  private struct Generic<Value> {
    var number: Int
    var value: Value
  }

  private struct Pair<First, Second: Comparable> {
    var first: First
    var second: Second
  }

  private enum Choice {
    case first(Seed)
    case second(OtherSeed)
    case neither
  }

  private indirect enum Tree {
    case leaf(Seed)
    case node(Tree, Tree)
  }

  private final class Holder {
    var structure = Structure(number: 3, seed: Seed(), other: OtherSeed())
    var generic = Generic(number: 5, value: Seed())
    var choice = Choice.second(OtherSeed())
    var optional: Seed? = Seed()
    var tree = Tree.leaf(Seed())
    var tuple: (Int, Seed, OtherSeed) = (9, Seed(), OtherSeed())
  }

  // An object whose properties are such values.
  private let holder = Holder()
  private var chosen: Seed? { if case .second(let seed) = holder.choice { seed } else { nil } }

  func compare(_ findings: inout ProbeFindings) {
    compareStructures(&findings)
    compareGenerics(&findings)
    compareWitnesses(&findings)
    compareEnumerations(&findings)
    compareTuples(&findings)
  }

  private func compareStructures(_ findings: inout ProbeFindings) {
    let (type, generic, rows) = (Place(of: Structure.self), Place(of: Generic<Seed>.self), abi.type)
    findings.expect("kind.structure", type.word == abi.kind.structure)
    let descriptor = type[rows.descriptor].target
    findings.expect("type.descriptor", descriptor.isInImage)
    findings.expect("type.structureKind", kind(of: descriptor) == rows.structureKind)
    findings.expect("type.arguments", generic[rows.arguments].word == metadata(of: Seed.self))
    findings.expect(
      "classes.genericBit", bit: abi.classes.genericBit, in: generic[8].target,
      notIn: type[8].target)
    findings.expect("type.fieldCount", descriptor[rows.fieldCount].uint32 == 3)
    let offsets = descriptor[rows.fieldOffsets].uint32.map { type[UInt($0) &* 8] } ?? Place(nil)
    findings.expect("type.fieldOffsets", offsets.word == 8 << 32)
    let (second, third) = (offsets[rows.fieldOffsetSize], offsets[2 * rows.fieldOffsetSize])
    findings.expect("type.fieldOffsetSize", second.uint32 == 8 && third.uint32 == 16)
  }

  private func kind(of descriptor: Place) -> UInt32? {
    descriptor.uint32.map { $0 & abi.classes.kindBits }
  }

  // Two parameters, and three words for them: two types and the witness table of a conformance.
  private func compareGenerics(_ findings: inout ProbeFindings) {
    let rows = abi.generics
    let header = Place(of: Pair<Seed, Int>.self)[8].target[abi.type.descriptorSize]
    func count(_ offset: UInt) -> UInt32? { header[offset].uint32.map { $0 & 0xffff } }
    findings.expect("generics.counts", count(rows.counts) == 2)
    findings.expect("generics.keys", count(rows.keys) == 3)
    let parameters = [0, 1].map { header[rows.parameters + $0].byte.map(UInt32.init) }
    findings.expect(
      ["generics.parameters", "generics.keyBit"],
      parameters.allSatisfy { $0.map { $0 >> rows.keyBit & 1 == 1 } ?? false })
    let mask: UInt32 = (1 << rows.kindBits) &- 1
    findings.expect("generics.kindBits", parameters.allSatisfy { $0.map { $0 & mask } == 0 })
  }

  private func compareWitnesses(_ findings: inout ProbeFindings) {
    let rows = abi.witness
    func witnesses(_ type: Any.Type) -> Place {
      Place(of: type).before(abi.metadata.witnesses).target
    }
    let structure = witnesses(Structure.self)
    let size = UInt(MemoryLayout<Structure>.size)
    findings.expect("metadata.witnesses", structure[64].word == size)
    findings.expect("witness.size", structure[rows.size].word == size)
    // A structure of nine bytes: what tells its size and its stride apart.
    findings.expect("witness.stride", witnesses((Int, Int8).self)[rows.stride].word == 16)
    let alignments: [(any Any.Type, UInt32)] = [
      (Int8.self, 0), (Int16.self, 1), (Int.self, 7), (Structure.self, 7),
    ]
    findings.expect(
      ["witness.flags", "witness.alignmentBits"],
      alignments.allSatisfy { type, alignment in
        (witnesses(type)[rows.flags].uint32 ?? 0) & rows.alignmentBits == alignment
      })
    findings.expect(
      "witness.notPlainBit", bit: rows.notPlainBit, in: structure[rows.flags],
      notIn: witnesses(Int.self)[rows.flags])
  }

  private func compareEnumerations(_ findings: inout ProbeFindings) {
    let (type, rows) = (Place(of: Choice.self), abi.type)
    findings.expect("kind.enumeration", type.word == abi.kind.enumeration)
    findings.expect("kind.optional", Place(of: Seed?.self).word == abi.kind.optional)
    let descriptor = type[8].target
    findings.expect("type.enumerationKind", kind(of: descriptor) == rows.enumerationKind)
    let mask: UInt32 = (1 << rows.payloadCaseBits) &- 1
    let cases = descriptor[rows.payloadCases].uint32.map { $0 & mask }
    findings.expect(["type.payloadCases", "type.payloadCaseBits"], cases == 2)
    findings.expect("witness.enumTag", type.before(8).target[abi.witness.enumTag].target.isCode)
    let raw = unsafeBitCast(holder.choice, to: UInt.self)
    let address = chosen?.address
    findings.expect(
      "reference.addressBits", raw != address && raw & abi.reference.addressBits == address)
    func record(_ type: Any.Type) -> Place { Place(of: type)[8].target[16].relative[16] }
    findings.expect(
      "fields.indirectBit", bit: abi.fields.indirectBit, in: record(Tree.self),
      notIn: record(Choice.self))
  }

  private func compareTuples(_ findings: inout ProbeFindings) {
    let (type, rows) = (Place(of: (Int, Seed, OtherSeed).self), abi.type)
    findings.expect("kind.tuple", type.word == abi.kind.tuple)
    findings.expect("type.tupleCount", type[rows.tupleCount].word == 3)
    let first = type[rows.tupleElements]
    findings.expect("type.tupleElements", first.word == metadata(of: Int.self))
    let second = first[rows.tupleElementSize]
    findings.expect("type.tupleElementSize", second.word == metadata(of: Seed.self))
    findings.expect("type.tupleOffset", second[rows.tupleOffset].uint32 == 8)
  }

  var references: [PlantedReference] {
    [
      .field(.structures, of: holder, "structure.seed", holder.structure.seed.address),
      .field(.structures, of: holder, "structure.other", holder.structure.other.address),
      .field(.structures, of: holder, "generic.value", holder.generic.value.address),
      .field(.enumerations, of: holder, "optional", holder.optional?.address),
      .field(.tuples, of: holder, "tuple", holder.tuple.1.address),
      .field(.tuples, of: holder, "tuple", holder.tuple.2.address),
      .field(.enumerations, of: holder, "choice", chosen?.address),
    ]
  }
}

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
  private var inline: Place { Place(of: holder)[16] }
  private var boxed: Place { inline[32] }
  private var box: Place { boxed.target }
  private var error: Place { boxed[32].target }

  func compare(_ findings: inout ProbeFindings) {
    let (any, extended) = (Place(of: Any.self), Place(of: (any OfElement<Int>).self))
    findings.expect("kind.existential", any.word == abi.kind.existential)
    findings.expect("kind.extendedExistential", extended.word == abi.kind.extendedExistential)
    let (flags, bit) = (abi.type.existentialFlags, UInt32(abi.type.anyValueBit))
    let ofObject = Place(of: AnyObject.self)
    for row in ["type.existentialFlags", "type.anyValueBit"] {
      findings.expect(row, bit: bit, in: any[flags], notIn: ofObject[flags])
    }
    for (value, type) in [(inline, Seed.self), (boxed, Large.self)] as [(Place, Any.Type)] {
      findings.expect("container.type", value[abi.container.type].word == metadata(of: type))
    }
    func valueFlags(of type: Any.Type) -> Place { Place(of: type).before(8).target[80] }
    findings.expect(
      "witness.notInlineBit", bit: abi.witness.notInlineBit, in: valueFlags(of: Large.self),
      notIn: valueFlags(of: Seed.self))
    let type = box.target
    findings.expect("kind.genericBox", type.word == abi.kind.genericBox)
    let value = type[abi.box.offset].uint32.map { box[UInt($0)] }
    findings.expect("box.offset", value?.word == UInt(large.marker))
    findings.expect("box.type", type[abi.box.type].word == metadata(of: Large.self))
    findings.expect("kind.error", error.target.word == abi.kind.error)
    findings.expect("error.type", error[abi.error.type].word == metadata(of: Failure.self))
  }

  var references: [PlantedReference] {
    [
      .field(.existentials, of: holder, "inline", seed.address, isOnly: false),
      .field(.existentials, of: holder, "boxed", box.address, isOnly: false),
      .init(.boxes, .capture, in: box.address, large.seed.address),
      .field(.errors, of: holder, "error", error.address, isOnly: false),
    ]
  }
}
