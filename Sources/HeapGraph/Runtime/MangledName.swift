/// A type's mangled name as reflection metadata stores it: text with binary references in it.
struct MangledName {
  /// Where the name begins.
  let address: UInt
  /// Its length in bytes, without the terminating zero.
  let length: UInt

  /// Measures the name at an address. A byte of 1 to 23 is followed by a 4-byte reference, one of
  /// 24 to 31 by an 8-byte reference, and these may contain zeros.
  init(at address: UInt) {
    self.address = address
    var end = address
    while case let byte = Memory.byte(end), byte != 0 {
      end += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1
    }
    length = end - address
  }

  /// How a field or capture of this type refers to what it refers to.
  ///
  /// - Parameter isGeneric: whether the type may depend on generic parameters. The runtime aborts
  ///   when it is asked for such a type without them, so it is not asked, and the field counts as
  ///   one that may hold references.
  func ownership(isGeneric: Bool) -> Ownership {
    if hasSuffix("Xw") { return .weak }
    if hasSuffix("Xo") || hasSuffix("Xu") { return .unowned }
    if isOneOf(["Si", "Su", "Sb", "Sd", "Sf", "BD"]) { return .none }
    if ["SPy", "Spy", "SRy", "Sry"].contains(where: hasPrefix) || isOneOf(["Sv", "SV"]) {
      return .pointer
    }
    if hasPrefix("s9UnmanagedVy") { return .unowned }
    guard !isGeneric, let type else { return .mixed }
    // A type that cannot be copied comes back without a size, and looks plain.
    let witnesses = ValueWitnesses(of: type)
    guard !witnesses.isPlain || witnesses.size == 0 else { return .pointer }
    let metadata = unsafeBitCast(type, to: UInt.self)
    return Borrowing.isPossible(in: metadata) ? .mixed : .strong
  }

  /// What a field's type says about the words in it.
  enum Ownership {
    /// Nothing, a number or an actor's queue: no references.
    case none
    /// A side table's address.
    case weak
    /// An object's address that doesn't keep it alive.
    case unowned
    /// Plain data: an address in it may own plain memory, but never an object.
    case pointer
    /// References that keep alive what they refer to.
    case strong
    /// References, some of which may not.
    case mixed
  }

  /// The type itself; nil when it depends on generic parameters or isn't a type in Swift.
  var type: Any.Type? {
    guard let start = UnsafePointer<UInt8>(bitPattern: address) else { return nil }
    return _getTypeByMangledNameInContext(
      start, length, genericContext: nil, genericArguments: nil)
  }

  /// The type of a generic type's field.
  ///
  /// - Parameters:
  ///   - descriptor: the address of the generic type's descriptor.
  ///   - arguments: where its metadata keeps the arguments.
  func type(in descriptor: UInt, arguments: UInt) -> Any.Type? {
    guard let start = UnsafePointer<UInt8>(bitPattern: address) else { return nil }
    return _getTypeByMangledNameInContext(
      start, length, genericContext: UnsafeRawPointer(bitPattern: descriptor),
      genericArguments: UnsafeRawPointer(bitPattern: arguments))
  }

  private func isOneOf(_ names: [StaticString]) -> Bool {
    names.contains { length == UInt($0.utf8CodeUnitCount) && matches($0, at: address) }
  }

  private func hasPrefix(_ text: StaticString) -> Bool {
    length >= UInt(text.utf8CodeUnitCount) && matches(text, at: address)
  }

  private func hasSuffix(_ text: StaticString) -> Bool {
    let count = UInt(text.utf8CodeUnitCount)
    return length >= count && matches(text, at: address + length - count)
  }

  private func matches(_ text: StaticString, at place: UInt) -> Bool {
    text.withUTF8Buffer { bytes in
      bytes.indices.allSatisfy { Memory.byte(place + UInt($0)) == bytes[$0] }
    }
  }
}
