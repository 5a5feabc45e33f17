/// Where in the values of a type references are, and what each does for what it refers to.
///
/// A value's words alone do not tell: an `ObjectIdentifier`, an `unowned` property and what pads a
/// smaller case of an enumeration look like references.
package struct ValueShape: Sendable, Equatable {
  /// The stretches of a value that mean the same in every value.
  package private(set) var parts: [Part] = []
  /// The parts of a value that only the value itself tells what they are.
  package private(set) var choices: [Choice] = []

  /// A stretch of a value.
  package struct Part: Sendable, Equatable {
    /// Where it begins, in bytes.
    package var offset: UInt
    /// In bytes.
    package var size: UInt
    /// What the references in it do.
    package var ownership: ReferenceOwnership
  }

  /// A part of a value that is one of several things.
  package struct Choice: Sendable, Equatable {
    /// Where it begins, in bytes.
    package var offset: UInt
    /// What tells the things apart.
    package let kind: Kind

    /// What a value may be one of.
    package enum Kind: Sendable, Equatable {
      /// An enumeration, and what is in the payload of each case that has one.
      case payload(EnumTag, [ValueShape])
      /// An `Any`, or an existential of a protocol that any type can conform to.
      case anything
    }
  }

  /// Longer than any value.
  private static let endless: UInt = 1 << 40

  /// A value of unknown size that is the same throughout; a closure has a reference in its second word.
  package static func throughout(_ ownership: ReferenceOwnership, size: UInt = endless)
    -> ValueShape
  {
    var shape = ValueShape()
    guard ownership.mayKeepAlive else { return shape }
    shape.parts = [
      ownership == .closure
        ? Part(offset: 8, size: 8, ownership: ownership)
        : Part(offset: 0, size: size, ownership: ownership)
    ]
    return shape
  }

  /// A value without references.
  package init() {}

  /// A value that is one of several things.
  package init(choice kind: Choice.Kind) { choices = [Choice(offset: 0, kind: kind)] }

  /// Whether there are no references in it.
  package var isEmpty: Bool { parts.isEmpty && choices.isEmpty }

  /// Adds another value at an offset. What it is longer than a size is left out.
  package mutating func add(_ other: ValueShape, at offset: UInt, size: UInt = endless) {
    for part in other.parts where part.offset < size {
      let end = min(part.offset + part.size, size)
      parts.append(
        Part(offset: offset + part.offset, size: end - part.offset, ownership: part.ownership))
    }
    for var choice in other.choices where choice.offset < size {
      choice.offset += offset
      choices.append(choice)
    }
  }
}

/// What a property's or a capture's type says about the words in it.
package enum ReferenceOwnership: Sendable {
  /// Nothing, a number or an actor's queue: no references.
  case none
  /// A side table's address.
  case weak
  /// An object's address that doesn't keep it alive.
  case unowned
  /// Plain data: an address in it may own plain memory, but never an object.
  case pointer
  /// A raw pointer, or one that is unmanaged: it may own an object that nothing else was found to hold.
  case raw
  /// References that keep alive what they refer to.
  case strong
  /// A closure's context. Where there is no function before it, an optional closure is nil, and the word may
  /// be what was there before.
  case closure
  /// References, some of which may not.
  case mixed

  /// Whether a place of this kind is looked at for strong references.
  var mayKeepAlive: Bool { [.strong, .closure, .mixed, .pointer, .raw].contains(self) }
}

/// Asks the runtime which case of an enumeration a value is: it alone knows into which spare bits
/// the compiler has put that.
package struct EnumTag: Sendable, Equatable {
  private typealias Function = @convention(c) (UInt, UInt) -> UInt32
  private let function: UInt
  private let metadata: UInt
  private let size: UInt

  /// - Parameters:
  ///   - function: the address of the code in the table of the type.
  ///   - metadata: the address of the enumeration's metadata.
  ///   - size: a value's, in bytes.
  package init(proven function: UInt, metadata: UInt, size: UInt) {
    (self.function, self.metadata, self.size) = (function, metadata, size)
  }

  /// The number of a value's case; those with payloads come first. Reads the value's bytes, and
  /// follows nothing that is in them: of a value that is only partly written, any number. Nil where the
  /// value does not end in the stretch that it begins in.
  func number(at address: UInt, in region: Region) -> Int? {
    guard region.contains(address, count: size) else { return nil }
    return Int(unsafeBitCast(function, to: Function.self)(address, metadata))
  }
}
