import MemlabHeapModel

/// What is planted everywhere: an object that other things refer to.
class Seed: @unchecked Sendable {
  /// Something for the compiler to keep.
  var number = 0

  /// Where the object is, as a number that keeps nothing alive.
  var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

/// Another one, to tell two properties apart by their types.
final class OtherSeed: Seed, @unchecked Sendable {}

/// The address of a type's metadata.
func metadata(of type: Any.Type) -> UInt { unsafeBitCast(type, to: UInt.self) }

/// Where an object is, as a number that keeps nothing alive.
func address(of object: AnyObject) -> UInt {
  UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}
