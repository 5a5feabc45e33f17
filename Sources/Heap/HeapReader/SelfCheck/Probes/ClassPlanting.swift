import MemlabRuntimeABI

/// Classes: inherited, lazy and generic properties, and a superclass of another library.
struct ClassPlanting: Planting {
  private class Base { var inherited: Seed? = Seed() }

  private final class Derived: Base {
    var own: Seed? = Seed()
    var count: Int = 7
    lazy var late: Seed? = Seed()
  }

  private final class OfOne<Element> { var element: Element? }

  /// `ManagedBuffer` may grow with its library, so only the process knows where the members are.
  private final class OfLibrary<Element>: ManagedBuffer<Int, Element> {}

  private let object = Derived()
  private let others = (0..<16).map { _ in Seed() }

  /// Plants an object whose lazy property has been read, and others beside it.
  init() { _ = object.late }

  private var type: Place { Place(of: Derived.self) }
  private var descriptor: Place { type[abi.classes.descriptor].target }

  func compare(_ findings: inout ProbeFindings) {
    compareMetadata(&findings)
    compareDescriptor(&findings)
    compareFields(&findings)
    compareGeneric(&findings)
    let objects = others.map(\.address) + [address(of: object)]
    let alignment = abi.reference.alignment
    findings.expect("reference.alignment", objects.allSatisfy { $0 & (alignment &- 1) == 0 })
    findings.expect("reference.alignment", alignment.nonzeroBitCount == 1)
  }

  private func compareMetadata(_ findings: inout ProbeFindings) {
    let rows = abi.classes
    findings.expect("kind.classObject", type.word == abi.kind.classObject)
    findings.expect("metadata.destroyer", type.before(abi.metadata.destroyer).target.isCode)
    findings.expect("classes.superclass", type[rows.superclass].word == metadata(of: Base.self))
    findings.expect("classes.addressPoint", type[rows.addressPoint].uint32 == 0)
    // A header of two words and four properties of one word each.
    findings.expect("classes.instanceSize", type[rows.instanceSize].uint32 == 16 + 4 * 8)
    findings.expect("classes.descriptor", descriptor.isInImage)
  }

  private func compareDescriptor(_ findings: inout ProbeFindings) {
    let rows = abi.classes
    let flags = descriptor.uint32 ?? 0
    let ofStructure = Place(of: Int.self)[8].target.uint32 ?? 0
    findings.expect(
      ["classes.kindBits", "classes.kind"],
      flags & rows.kindBits == rows.kind && ofStructure & rows.kindBits != rows.kind)
    findings.expect("classes.name", descriptor[rows.name].relative.text == "Derived")
    findings.expect("classes.accessor", isAccessorWhereExpected)
  }

  /// The core library exports the descriptor of an array's storage, and the function that makes its
  /// metadata. Where it is part of the program, any code will do.
  private var isAccessorWhereExpected: Bool {
    guard let array = CFunction.address("$ss23_ContiguousArrayStorageCMn"),
      let accessor = CFunction.address("$ss23_ContiguousArrayStorageCMa")
    else { return descriptor[abi.classes.accessor].relative.isCode }
    return Place(array)[abi.classes.accessor].relative.address == accessor
  }

  private func compareFields(_ findings: inout ProbeFindings) {
    let (rows, fields) = (abi.classes, abi.fields)
    let list = descriptor[rows.fields].relative
    // The list says itself how long a record is and how many there are.
    findings.expect("classes.fields", list[8].uint32.map { $0 >> 16 } == 12 && list[12].uint32 == 3)
    findings.expect("classes.fieldCount", descriptor[rows.fieldCount].uint32 == 3)
    let first = list[fields.first]
    findings.expect("fields.first", first[fields.name].relative.text == "own")
    let second = first[fields.size]
    findings.expect(["fields.size", "fields.name"], second[fields.name].relative.text == "count")
    findings.expect("fields.type", second[fields.type].relative.text == "Si")
    let lazy = second[fields.size][fields.name].relative.text
    findings.expect("fields.lazyPrefix", lazy == abi.fields.lazyPrefix + "late")
    let offsets = descriptor[rows.fieldOffsets].uint32.map { type[UInt($0) &* 8] }
    findings.expect("classes.fieldOffsets", offsets?.word == 24 && offsets?[8].word == 32)
  }

  private func compareGeneric(_ findings: inout ProbeFindings) {
    let type = Place(of: OfOne<OtherSeed>.self)
    let generic = type[abi.classes.descriptor].target
    let words = generic[abi.classes.positiveWords].uint32 ?? 0
    let own = generic[abi.classes.immediateMembers].uint32 ?? 0
    // The arguments are the first of the members that a class adds.
    findings.expect(
      ["classes.positiveWords", "classes.immediateMembers"],
      type[UInt(words &- own) &* 8].word == metadata(of: OtherSeed.self))
    let ofLibrary = Place(of: OfLibrary<Seed>.self)
    let library = ofLibrary[abi.classes.descriptor].target
    findings.expect(
      "classes.resilientBit", bit: abi.classes.resilientBit, in: library, notIn: descriptor)
    let bounds = library[abi.classes.resilientBounds].relative.word
    let argument = bounds.flatMap { ofLibrary[$0].word }
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
    var closure = {}
    var noClosure: (() -> Void)?

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

  private typealias Bytes = (text: String, length: UInt)

  /// Where the name of a property's type is.
  private func name(_ index: UInt, of type: Any.Type) -> Place {
    Place(of: type)[40].target[16].relative[16 + index * 12 + 4].relative
  }

  /// The bytes of a name; references count as one byte. Nil where it does not end.
  ///
  /// - Parameters:
  ///   - short: bytes from 1 to below this are followed by a reference of four bytes.
  ///   - long: bytes from there to below this are followed by one of eight.
  private func bytes(at name: Place, short: UInt = 0x18, long: UInt = 0x20) -> Bytes? {
    let bytes = name.bytes(count: 64)
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
    findings.expect("mangling.numbers", (4...8).map(text) == rows.numbers.map { "\($0)" })
    findings.expect("mangling.pointers", (10...13).map(text).allSatisfy(rows.pointers.beginsOne))
    findings.expect("mangling.rawPointers", (14...15).map(text) == rows.rawPointers.map { "\($0)" })
    let closures = (16...17).map(text).map { "\($0.dropFirst(2))" }
    findings.expect("mangling.closures", closures == rows.closures.map { "\($0)" })
    let queue = bytes(at: name(0, of: Queue.self))?.text
    findings.expect("mangling.actorQueue", queue == "\(rows.actorQueue)")
    // A name with a reference in it, and one of letters only.
    for name in [name(0, of: Holder.self), name(3, of: Holder.self)] {
      guard let known = bytes(at: name)?.length else { continue }
      let (short, long) = (rows.shortReferences, rows.longReferences)
      findings.expect("mangling.shortReferences", bytes(at: name, short: short)?.length == known)
      findings.expect("mangling.longReferences", bytes(at: name, long: long)?.length == known)
    }
  }

  // The owner alone keeps it alive: the other's references are not strong.
  var references: [PlantedReference] { [.field(.ownership, of: owner, "seed", owner.seed.address)] }
}

extension [StaticString] {
  /// Whether a text begins with one of them.
  func beginsOne(_ text: String) -> Bool { contains { text.hasPrefix("\($0)") } }
}
