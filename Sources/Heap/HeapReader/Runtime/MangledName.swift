import MemlabHeapModel
import MemlabRuntimeABI

/// A type's mangled name as reflection metadata stores it: text with binary references in it.
package struct MangledName {
  /// Where the name begins.
  private let address: UInt
  /// Its bytes, without the terminating zero.
  private let bytes: [UInt8]

  /// Longer than the name of any type.
  private static let longest: UInt = 1 << 16

  /// Measures the name at an address. A byte of 1 to 23 is followed by a 4-byte reference, one of
  /// 24 to 31 by an 8-byte reference, and these may contain zeros.
  ///
  /// - Parameter region: what the name must lie in, its terminating zero included.
  /// - Returns: nil where it does not.
  package init?(at address: UInt, in region: Region) {
    let limit = min(region.end, address &+ Self.longest)
    var end = address
    while end < limit, let byte = region.byte(at: end), byte != 0 {
      end += byte < abi.mangling.shortReferences ? 5 : byte < abi.mangling.longReferences ? 9 : 1
    }
    guard region.byte(at: end) == 0, end > address else { return nil }
    self.address = address
    bytes = (address..<end).compactMap { region.byte(at: $0) }
  }

  /// The name that a relative address leads to, in the constants of a loaded image.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: ``Unreadable`` where it leads somewhere else.
  init?(relativeTo place: UInt, _ memory: ProcessMemory) throws(Unreadable) {
    let address = try memory.relative(place)
    if address == 0 { return nil }
    self.init(at: address, in: try memory.image(at: address, count: 1))
  }

  /// How a field or capture refers to what it refers to, where its name alone says so.
  package var plainOwnership: ReferenceOwnership? {
    let names = abi.mangling
    if bytes.hasSuffix(names.weak) { return .weak }
    if bytes.hasSuffix(names.unowned) || bytes.hasSuffix(names.unmanaged) { return .unowned }
    if names.closures.contains(where: bytes.hasSuffix) { return .closure }
    if isOneOf(names.numbers) || isOneOf([names.actorQueue]) { return ReferenceOwnership.none }
    if isOneOf(names.rawPointers) { return .raw }
    return names.pointers.contains(where: bytes.hasPrefix) ? .pointer : nil
  }

  /// The metadata of the type itself; nil when it depends on generic parameters or isn't a type in
  /// Swift.
  var type: UInt? { type(in: nil, arguments: nil) }

  /// The metadata of the type of a generic type's field.
  ///
  /// The runtime follows the arguments without a check, and aborts without them: the caller has seen
  /// that they are types.
  ///
  /// - Parameters:
  ///   - descriptor: the address of the generic type's descriptor.
  ///   - arguments: where its metadata keeps the arguments.
  func type(in descriptor: UInt?, arguments: UInt?) -> UInt? {
    if arguments == nil, hasAssociatedType { return nil }
    guard let start = UnsafePointer<UInt8>(bitPattern: address) else { return nil }
    return _getTypeByMangledNameInContext(
      start, UInt(bytes.count),
      genericContext: descriptor.flatMap { UnsafeRawPointer(bitPattern: $0) },
      genericArguments: arguments.flatMap { UnsafeRawPointer(bitPattern: $0) }
    ).map { unsafeBitCast($0, to: UInt.self) }
  }

  // `Part.Key` of a parameter `Part`: of the parameter itself, the runtime only says that it is not
  // there. docs/ABI/Mangling.rst has the operators. A type of such a name is not known by mistake.
  private var hasAssociatedType: Bool {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      let isText = byte >= abi.mangling.longReferences
      let next = bytes[(place + 1)...].first
      if byte == UInt8(ascii: "Q"), let next, "zZyYxX".utf8.contains(next) { return true }
      place += isText ? 1 : byte < abi.mangling.shortReferences ? 5 : 9
    }
    return false
  }

  private func isOneOf(_ names: [StaticString]) -> Bool {
    names.contains { bytes.count == $0.utf8CodeUnitCount && bytes.hasPrefix($0) }
  }
}

extension ProcessMemory {
  /// Whether what stands for the arguments of a type is metadata of types, so that the runtime can
  /// be asked for what depends on them.
  ///
  /// - Parameters:
  ///   - arguments: where they begin.
  ///   - descriptor: the descriptor of a class, a structure or an enumeration.
  func areTypes(at arguments: UInt, of descriptor: UInt) throws(Unreadable) -> Bool {
    guard let header = try genericHeader(of: descriptor) else { return false }
    let constants = try image(at: header, count: abi.generics.parameters)
    guard let word = constants.uint32(at: header &+ abi.generics.counts) else { return false }
    let count = UInt(word & 0xffff)
    let keys = UInt(constants.uint32(at: header &+ abi.generics.keys) ?? 0) & 0xffff
    guard count > 0, count <= 64, keys <= 256 else { return false }
    var next = arguments
    for index in 0..<count {
      guard let parameter = constants.byte(at: header &+ abi.generics.parameters &+ index) else {
        return false
      }
      guard UInt32(parameter) >> abi.generics.keyBit & 1 == 1 else { continue }
      // Of a parameter pack, or a value, nothing is known that could be checked.
      let isType = UInt32(parameter) & ((1 << abi.generics.kindBits) - 1) == 0
      guard isType else { return true }
      guard self.isType(try self.word(next)) else { return false }
      next = next &+ 8
    }
    // The tables of the conformances follow the types. Each begins with the address of a descriptor.
    while next < arguments &+ keys * 8 {
      _ = try image(at: self.word(self.word(next)), count: 4)
      next = next &+ 8
    }
    return true
  }

  // It stands behind what every descriptor of the kind has.
  private func genericHeader(of descriptor: UInt) throws(Unreadable) -> UInt? {
    switch try uint32(descriptor) & abi.classes.kindBits {
    case abi.classes.kind: descriptor &+ abi.classes.descriptorSize
    case abi.type.structureKind, abi.type.enumerationKind: descriptor &+ abi.type.descriptorSize
    default: nil
    }
  }
}
