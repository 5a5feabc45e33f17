import RuntimeABI

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
      end += byte < abi.mangling.shortReferences ? 5 : byte < abi.mangling.longReferences ? 9 : 1
    }
    length = end - address
  }

  /// Where a property or a capture of this type has references.
  ///
  /// - Parameter owner: the metadata of the class whose property it is, which has the arguments that
  ///   the type may depend on; nil for a capture. The runtime aborts when it is asked for a type
  ///   without its arguments.
  func shape(inClass owner: UInt?) -> ValueShape {
    if let plainOwnership { return .throughout(plainOwnership) }
    let found = owner.map { type(inClass: $0) } ?? type
    return found.map { ValueShape(of: unsafeBitCast($0, to: UInt.self)) } ?? .throughout(.mixed)
  }

  private func type(inClass metadata: UInt) -> Any.Type? {
    let descriptor = Memory.word(metadata + abi.classes.descriptor)
    let flags = Memory.uint32(descriptor)
    guard flags & (1 << abi.classes.genericBit) != 0 else { return type }
    return type(in: descriptor, arguments: ClassReader.members(of: metadata))
  }

  /// How a field or capture refers to what it refers to, where its name alone says so.
  var plainOwnership: Ownership? {
    let names = abi.mangling
    if hasSuffix(names.weak) { return .weak }
    if hasSuffix(names.unowned) || hasSuffix(names.unmanaged) { return .unowned }
    if isOneOf(names.numbers) || isOneOf([names.actorQueue]) { return Ownership.none }
    if names.pointers.contains(where: hasPrefix) || isOneOf(names.rawPointers) { return .pointer }
    return nil
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
