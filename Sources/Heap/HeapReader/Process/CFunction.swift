import CMemlabProcess
import MemlabHeapModel

/// Looks up what C libraries export and Swift's `Glibc` module doesn't declare.
enum CFunction {
  /// The function of that name, or nil when no loaded library exports it.
  ///
  /// - Parameter type: a `@convention(c)` function type that matches the C declaration.
  static func named<Function>(_ name: String, as type: Function.Type) -> Function? {
    loaded_symbol(name).map { unsafeBitCast($0, to: type) }
  }

  /// The address of what is exported under a name; nil when no loaded library exports it.
  static func address(_ name: String) -> UInt? {
    loaded_symbol(name).map { UInt(bitPattern: $0) }
  }
}
