import MemlabHeapModel

/// Where in the values of a type references are, and what each does for what it refers to.
///
/// A value's words alone do not tell: an `ObjectIdentifier`, an `unowned` property and what pads a
/// smaller case of an enumeration look like references.
struct ValueShape: Sendable, Equatable {
  /// The stretches of a value that mean the same in every value.
  private(set) var parts: [Part] = []
  /// The parts of a value that only the value itself tells what they are.
  private(set) var choices: [Choice] = []

  /// A stretch of a value.
  struct Part: Sendable, Equatable {
    /// Where it begins, in bytes.
    var offset: UInt
    /// In bytes.
    var size: UInt
    /// What the references in it do.
    var ownership: ReferenceOwnership
  }

  /// A part of a value that is one of several things.
  struct Choice: Sendable, Equatable {
    /// Where it begins, in bytes.
    var offset: UInt
    /// What tells the things apart.
    let kind: Kind

    /// What a value may be one of.
    enum Kind: Sendable, Equatable {
      /// An enumeration, and what is in the payload of each case that has one.
      case payload(EnumTag, [ValueShape])
      /// An `Any`, or an existential of a protocol that any type can conform to.
      case anything
    }
  }

  /// Longer than any value.
  private static let endless: UInt = 1 << 40

  /// A value of unknown size that is the same throughout.
  static func throughout(_ ownership: ReferenceOwnership, size: UInt = endless) -> ValueShape {
    var shape = ValueShape()
    if ownership.mayKeepAlive {
      shape.parts = [Part(offset: 0, size: size, ownership: ownership)]
    }
    return shape
  }

  /// A value without references.
  init() {}

  /// A value that is one of several things.
  init(choice kind: Choice.Kind) { choices = [Choice(offset: 0, kind: kind)] }

  /// Whether there are no references in it.
  var isEmpty: Bool { parts.isEmpty && choices.isEmpty }

  /// Adds another value at an offset. What it is longer than a size is left out.
  mutating func add(_ other: ValueShape, at offset: UInt, size: UInt = endless) {
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
