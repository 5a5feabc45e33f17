import MemlabHeapModel
import MemlabRuntimeABI

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
