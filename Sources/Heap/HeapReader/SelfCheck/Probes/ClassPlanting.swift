import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// Classes: inherited, lazy and generic properties, and a superclass of another library.
struct ClassPlanting: Planting {
  private class Base {
    var inherited: Seed? = Seed()
  }

  private final class Derived: Base {
    var own: Seed? = Seed()
    var count: Int = 7
    lazy var late: Seed? = Seed()
  }

  private final class OfOne<Element> {
    var element: Element?
  }

  /// `ManagedBuffer` may grow with its library, so only the process knows where the members are.
  private final class OfLibrary<Element>: ManagedBuffer<Int, Element> {}

  private let object = Derived()
  private let others = (0..<16).map { _ in Seed() }

  /// Plants an object whose lazy property has been read, and others beside it.
  init() { _ = object.late }

  private var type: UInt { metadata(of: Derived.self) }
  private var descriptor: UInt? { Peek.word(type + abi.classes.descriptor) }

  func compare(_ findings: inout ProbeFindings) {
    compareMetadata(&findings)
    compareDescriptor(&findings)
    compareFields(&findings)
    compareGeneric(&findings)
    compareResilient(&findings)
    let objects = others.map(\.address) + [address(of: object)]
    let alignment = abi.reference.alignment
    findings.expect("reference.alignment", objects.allSatisfy { $0 & (alignment &- 1) == 0 })
    findings.expect("reference.alignment", alignment.nonzeroBitCount == 1)
  }

  private func compareMetadata(_ findings: inout ProbeFindings) {
    let rows = abi.classes
    findings.expect("kind.classObject", Peek.word(type) == abi.kind.classObject)
    findings.expect("metadata.destroyer", Peek.isCode(Peek.word(type &- abi.metadata.destroyer)))
    findings.expect(
      "classes.superclass", Peek.word(type + rows.superclass) == metadata(of: Base.self))
    findings.expect("classes.addressPoint", Peek.uint32(type + rows.addressPoint) == 0)
    // A header of two words and four properties of one word each.
    findings.expect("classes.instanceSize", Peek.uint32(type + rows.instanceSize) == 16 + 4 * 8)
    findings.expect("classes.descriptor", Peek.isInImage(descriptor))
  }

  private func compareDescriptor(_ findings: inout ProbeFindings) {
    let rows = abi.classes
    let flags = Peek.uint32(descriptor) ?? 0
    let ofStructure = Peek.uint32(Peek.word(metadata(of: Int.self) + 8)) ?? 0
    findings.expect(
      ["classes.kindBits", "classes.kind"],
      flags & rows.kindBits == rows.kind && ofStructure & rows.kindBits != rows.kind)
    findings.expect("classes.name", Peek.text(Peek.relative(descriptor + rows.name)) == "Derived")
    findings.expect("classes.accessor", isAccessorWhereExpected)
  }

  /// The core library exports the descriptor of an array's storage, and the function that makes its
  /// metadata. Where it is part of the program, any code will do.
  private var isAccessorWhereExpected: Bool {
    guard let descriptor = loaded_symbol("$ss23_ContiguousArrayStorageCMn"),
      let accessor = loaded_symbol("$ss23_ContiguousArrayStorageCMa")
    else { return Peek.isCode(Peek.relative(descriptor + abi.classes.accessor)) }
    return Peek.relative(UInt(bitPattern: descriptor) + abi.classes.accessor)
      == UInt(bitPattern: accessor)
  }

  private func compareFields(_ findings: inout ProbeFindings) {
    let (rows, fields) = (abi.classes, abi.fields)
    let list = Peek.relative(descriptor + rows.fields)
    // The list says itself how long a record is and how many there are.
    let isList = Peek.uint32(list + 8).map { $0 >> 16 } == 12 && Peek.uint32(list + 12) == 3
    findings.expect("classes.fields", isList)
    findings.expect("classes.fieldCount", Peek.uint32(descriptor + rows.fieldCount) == 3)
    let first = list + fields.first
    findings.expect("fields.first", Peek.text(Peek.relative(first + fields.name)) == "own")
    let second = first + fields.size
    findings.expect("fields.size", Peek.text(Peek.relative(second + fields.name)) == "count")
    findings.expect("fields.name", Peek.text(Peek.relative(second + fields.name)) == "count")
    findings.expect("fields.type", Peek.text(Peek.relative(second + fields.type)) == "Si")
    let lazy = Peek.text(Peek.relative(second + fields.size + fields.name))
    findings.expect("fields.lazyPrefix", lazy == abi.fields.lazyPrefix + "late")
    let offsets = Peek.uint32(descriptor + rows.fieldOffsets).map { type &+ UInt($0) &* 8 }
    findings.expect(
      "classes.fieldOffsets", Peek.word(offsets) == 24 && Peek.word(offsets + 8) == 32)
  }

  private func compareGeneric(_ findings: inout ProbeFindings) {
    let type = metadata(of: OfOne<OtherSeed>.self)
    let descriptor = Peek.word(type + abi.classes.descriptor)
    let words = Peek.uint32(descriptor + abi.classes.positiveWords) ?? 0
    let own = Peek.uint32(descriptor + abi.classes.immediateMembers) ?? 0
    // The arguments are the first of the members that a class adds.
    let argument = Peek.word(type &+ UInt(words &- own) &* 8)
    findings.expect(
      ["classes.positiveWords", "classes.immediateMembers"],
      argument == metadata(of: OtherSeed.self))
  }

  private func compareResilient(_ findings: inout ProbeFindings) {
    let type = metadata(of: OfLibrary<Seed>.self)
    let library = Peek.word(type + abi.classes.descriptor)
    findings.expect(
      "classes.resilientBit", bit: abi.classes.resilientBit, in: library, notIn: descriptor)
    let bounds = Peek.word(Peek.relative(library + abi.classes.resilientBounds))
    let argument = bounds.flatMap { Peek.word(type &+ $0) }
    findings.expect("classes.resilientBounds", argument == metadata(of: Seed.self))
  }

  var references: [PlantedReference] {
    [
      .field(.classes, of: object, "inherited", object.inherited?.address),
      .field(.classes, of: object, "own", object.own?.address),
      .field(.lazyProperties, of: object, "late", object.late?.address),
    ]
  }
}
