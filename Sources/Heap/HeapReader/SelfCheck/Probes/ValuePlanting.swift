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

  private let holder = Holder()

  /// Plants an object whose properties are such values.
  init() {}

  func compare(_ findings: inout ProbeFindings) {
    compareStructures(&findings)
    compareGenerics(&findings)
    compareWitnesses(&findings)
    compareEnumerations(&findings)
    compareTuples(&findings)
  }

  private func compareStructures(_ findings: inout ProbeFindings) {
    let (type, generic) = (metadata(of: Structure.self), metadata(of: Generic<Seed>.self))
    findings.expect("kind.structure", Peek.word(type) == abi.kind.structure)
    let descriptor = Peek.word(type + abi.type.descriptor)
    findings.expect("type.descriptor", Peek.isInImage(descriptor))
    findings.expect("type.structureKind", kind(of: descriptor) == abi.type.structureKind)
    findings.expect(
      "type.arguments", Peek.word(generic + abi.type.arguments) == metadata(of: Seed.self))
    findings.expect(
      "classes.genericBit", bit: abi.classes.genericBit, in: Peek.word(generic + 8),
      notIn: Peek.word(type + 8))
    findings.expect("type.fieldCount", Peek.uint32(descriptor + abi.type.fieldCount) == 3)
    let words = Peek.uint32(descriptor + abi.type.fieldOffsets)
    let offsets = words.map { type &+ UInt($0) &* 8 }
    findings.expect("type.fieldOffsets", Peek.word(offsets) == 8 << 32)
    let size = abi.type.fieldOffsetSize
    findings.expect(
      "type.fieldOffsetSize",
      Peek.uint32(offsets + size) == 8 && Peek.uint32(offsets + 2 * size) == 16)
  }

  private func kind(of descriptor: UInt?) -> UInt32? {
    Peek.uint32(descriptor).map { $0 & abi.classes.kindBits }
  }

  // Two parameters, and three words for them: two types and the witness table of a conformance.
  private func compareGenerics(_ findings: inout ProbeFindings) {
    let rows = abi.generics
    let header = Peek.word(metadata(of: Pair<Seed, Int>.self) + 8) + abi.type.descriptorSize
    func count(_ offset: UInt) -> UInt32? { Peek.uint32(header + offset).map { $0 & 0xffff } }
    findings.expect("generics.counts", count(rows.counts) == 2)
    findings.expect("generics.keys", count(rows.keys) == 3)
    let parameters = [0, 1].map { Peek.byte(header + (rows.parameters + $0)).map(UInt32.init) }
    findings.expect(
      ["generics.parameters", "generics.keyBit"],
      parameters.allSatisfy { $0.map { $0 >> rows.keyBit & 1 == 1 } ?? false })
    let mask: UInt32 = (1 << rows.kindBits) &- 1
    findings.expect(
      "generics.kindBits", parameters.allSatisfy { $0.map { $0 & mask == 0 } ?? false })
  }

  private func compareWitnesses(_ findings: inout ProbeFindings) {
    func witnesses(_ type: Any.Type) -> UInt? {
      Peek.word(metadata(of: type) &- abi.metadata.witnesses)
    }
    func flags(_ type: Any.Type) -> UInt32 { Peek.uint32(witnesses(type) + abi.witness.flags) ?? 0 }
    let structure = witnesses(Structure.self)
    let size = UInt(MemoryLayout<Structure>.size)
    findings.expect("metadata.witnesses", Peek.word(structure + 64) == size)
    findings.expect("witness.size", Peek.word(structure + abi.witness.size) == size)
    // A structure of nine bytes: what tells its size and its stride apart.
    let uneven = witnesses((Int, Int8).self)
    findings.expect("witness.stride", Peek.word(uneven + abi.witness.stride) == 16)
    let alignments: [(any Any.Type, UInt32)] = [
      (Int8.self, 0), (Int16.self, 1), (Int.self, 7), (Structure.self, 7),
    ]
    findings.expect(
      ["witness.flags", "witness.alignmentBits"],
      alignments.allSatisfy { flags($0) & abi.witness.alignmentBits == $1 })
    findings.expect(
      "witness.notPlainBit", bit: abi.witness.notPlainBit, in: structure + abi.witness.flags,
      notIn: witnesses(Int.self) + abi.witness.flags)
  }

  private func compareEnumerations(_ findings: inout ProbeFindings) {
    let type = metadata(of: Choice.self)
    findings.expect("kind.enumeration", Peek.word(type) == abi.kind.enumeration)
    findings.expect("kind.optional", Peek.word(metadata(of: Seed?.self)) == abi.kind.optional)
    let descriptor = Peek.word(type + 8)
    findings.expect("type.enumerationKind", kind(of: descriptor) == abi.type.enumerationKind)
    let cases = Peek.uint32(descriptor + abi.type.payloadCases)
    let mask: UInt32 = (1 << abi.type.payloadCaseBits) &- 1
    findings.expect(
      ["type.payloadCases", "type.payloadCaseBits"], cases.map { $0 & mask == 2 } ?? false)
    findings.expect(
      "witness.enumTag", Peek.isCode(Peek.word(Peek.word(type &- 8) + abi.witness.enumTag)))
    let raw = unsafeBitCast(holder.choice, to: UInt.self)
    if case .second(let seed) = holder.choice {
      findings.expect(
        "reference.addressBits",
        raw != seed.address && raw & abi.reference.addressBits == seed.address)
    }
    func record(_ type: Any.Type) -> UInt? {
      Peek.relative(Peek.word(metadata(of: type) + 8) + 16) + 16
    }
    findings.expect(
      "fields.indirectBit", bit: abi.fields.indirectBit, in: record(Tree.self),
      notIn: record(Choice.self))
  }

  private func compareTuples(_ findings: inout ProbeFindings) {
    let type = metadata(of: (Int, Seed, OtherSeed).self)
    findings.expect("kind.tuple", Peek.word(type) == abi.kind.tuple)
    findings.expect("type.tupleCount", Peek.word(type + abi.type.tupleCount) == 3)
    let first = type + abi.type.tupleElements
    findings.expect("type.tupleElements", Peek.word(first) == metadata(of: Int.self))
    let second = first + abi.type.tupleElementSize
    findings.expect("type.tupleElementSize", Peek.word(second) == metadata(of: Seed.self))
    findings.expect("type.tupleOffset", Peek.uint32(second + abi.type.tupleOffset) == 8)
  }

  var references: [PlantedReference] {
    var found: [PlantedReference] = [
      .field(.structures, of: holder, "structure", holder.structure.seed.address),
      .field(.structures, of: holder, "structure", holder.structure.other.address),
      .field(.structures, of: holder, "generic", holder.generic.value.address),
      .field(.enumerations, of: holder, "optional", holder.optional?.address),
      .field(.tuples, of: holder, "tuple", holder.tuple.1.address),
      .field(.tuples, of: holder, "tuple", holder.tuple.2.address),
    ]
    if case .second(let seed) = holder.choice {
      found.append(.field(.enumerations, of: holder, "choice", seed.address))
    }
    return found
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
