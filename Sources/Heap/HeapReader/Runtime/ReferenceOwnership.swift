import MemlabHeapModel

/// What a property's or a capture's type says about the words in it.
package enum ReferenceOwnership {
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

  /// Whether a place of this kind is looked at for strong references.
  var mayKeepAlive: Bool { self == .strong || self == .mixed || self == .pointer }
}
