private let mangling = "docs/ABI/Mangling.rst"

/// What a type's mangled name says of how a property refers to something.
package struct ManglingRows: Sendable {
  /// Bytes from 1 to below this are followed by a reference of four bytes.
  package let shortReferences: UInt = row(
    "mangling.shortReferences", 0x18, mangling, .ownership, mutant: 1)
  /// Bytes from there to below this are followed by a reference of eight bytes.
  package let longReferences: UInt = row(
    "mangling.longReferences", 0x20, mangling, .ownership, mutant: 0x74)
  /// Ends the name of a `weak` property's type.
  package let weak: StaticString = row("mangling.weak", "Xw", mangling, .ownership)
  /// Ends the name of an `unowned` property's type.
  package let unowned: StaticString = row("mangling.unowned", "Xo", mangling, .ownership)
  /// Ends the name of an `unowned(unsafe)` property's type.
  package let unmanaged: StaticString = row("mangling.unmanaged", "Xu", mangling, .ownership)
  /// The names of `Int`, `UInt`, `Bool`, `Double` and `Float`.
  package let numbers: [StaticString] = row(
    "mangling.numbers", ["Si", "Su", "Sb", "Sd", "Sf"], mangling, .ownership)
  /// The name of an actor's queue.
  package let actorQueue: StaticString = row("mangling.actorQueue", "BD", mangling, .ownership)
  /// Begin the names of typed pointers.
  package let pointers: [StaticString] = row(
    "mangling.pointers", ["SPy", "Spy", "SRy", "Sry"], mangling, .ownership)
  /// The names of raw pointers.
  package let rawPointers: [StaticString] = row(
    "mangling.rawPointers", ["Sv", "SV"], mangling, .ownership)
}
