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

/// The names of types that say how a property refers to something.
struct OwnershipPlanting: Planting {
  private final class Holder {
    weak var watched: Seed?
    unowned var lent: Seed
    unowned(unsafe) var unsafe: Seed
    var unmanaged: Unmanaged<Seed>
    var integer = 0
    var unsigned: UInt = 0
    var flag = false
    var double = 0.0
    var float: Float = 0
    var constants: UnsafePointer<Int32>?
    var pointer = UnsafePointer<Int32>(bitPattern: 16)!
    var variable = UnsafeMutablePointer<Int32>(bitPattern: 16)!
    var buffer = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    var variables = UnsafeMutableBufferPointer<Int32>(start: nil, count: 0)
    var raw = UnsafeMutableRawPointer(bitPattern: 16)!
    var constant = UnsafeRawPointer(bitPattern: 16)!

    init(_ seed: Seed) {
      (watched, lent, unsafe, unmanaged) = (seed, seed, seed, .passUnretained(seed))
    }
  }

  private actor Queue { var number = 0 }

  private final class Owner { let seed = Seed() }

  private let owner = Owner()
  private let holder: Holder

  /// Plants an object that another refers to in every way.
  init() { holder = Holder(owner.seed) }

  /// Where the name of a property's type is.
  private func name(_ index: UInt, of type: Any.Type) -> UInt? {
    let list = Peek.relative(Peek.word(metadata(of: type) + 40) + 16)
    return Peek.relative(list + 16 + index * 12 + 4)
  }

  /// The bytes of a name; references count as one byte. Nil where it does not end.
  ///
  /// - Parameters:
  ///   - short: bytes from 1 to below this are followed by a reference of four bytes.
  ///   - long: bytes from there to below this are followed by one of eight.
  private func bytes(
    at name: UInt?, short: UInt = 0x18, long: UInt = 0x20
  ) -> (text: String, length: UInt)? {
    let bytes = Peek.bytes(at: name, count: 64)
    var (length, text): (UInt, [UInt8]) = (0, [])
    while length < bytes.count {
      let byte = bytes[Int(length)]
      if byte == 0 { return (String(decoding: text, as: UTF8.self), length) }
      text.append(byte)
      length += UInt(byte) < short ? 5 : UInt(byte) < long ? 9 : 1
    }
    return nil
  }

  private func text(_ index: UInt) -> String { bytes(at: name(index, of: Holder.self))?.text ?? "" }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.mangling
    findings.expect("mangling.weak", text(0).hasSuffix("\(rows.weak)"))
    findings.expect("mangling.unowned", text(1).hasSuffix("\(rows.unowned)"))
    findings.expect("mangling.unmanaged", text(2).hasSuffix("\(rows.unmanaged)"))
    let numbers = rows.numbers.map { "\($0)" }
    findings.expect("mangling.numbers", (4...8).map(text) == numbers)
    let pointers = rows.pointers.map { "\($0)" }
    findings.expect(
      "mangling.pointers",
      (10...13).map(text).allSatisfy { name in pointers.contains { name.hasPrefix($0) } })
    let raw = rows.rawPointers.map { "\($0)" }
    findings.expect("mangling.rawPointers", (14...15).map(text) == raw)
    findings.expect(
      "mangling.actorQueue", bytes(at: name(0, of: Queue.self))?.text == "\(rows.actorQueue)")
    compareLengths(&findings)
  }

  // A name with a reference in it, and one of letters only.
  private func compareLengths(_ findings: inout ProbeFindings) {
    let rows = abi.mangling
    for index: UInt in [0, 3] {
      let name = name(index, of: Holder.self)
      guard let known = bytes(at: name)?.length else { continue }
      findings.expect(
        "mangling.shortReferences", bytes(at: name, short: rows.shortReferences)?.length == known)
      findings.expect(
        "mangling.longReferences", bytes(at: name, long: rows.longReferences)?.length == known)
    }
  }

  // The owner alone keeps it alive: the other's references are not strong.
  var references: [PlantedReference] {
    [.field(.ownership, of: owner, "seed", owner.seed.address)]
  }
}
