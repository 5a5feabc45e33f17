import MemlabHeapModel
import MemlabRuntimeABI

/// A function or variable found at an address.
package struct Symbol: Sendable, Equatable {
  /// Its short name; a variable comes with the type that it belongs to.
  package var name: String { isData && parts.glue == nil ? parts.qualified : parts.short }
  /// Its whole demangled name.
  package var fullName: String { parts.full }
  /// The module that declares it, where the name says so.
  package var module: String? { parts.module }
  /// The file name of the executable or shared library that it was found in.
  package let library: String
  /// Whether it belongs to Swift's libraries or to the system's.
  package let isLibrary: Bool
  /// Whether it is a variable or a table rather than code.
  package let isData: Bool
  /// How far from its beginning the address lies, in bytes.
  package let offset: Int
  /// The last path component of its source file; nil without debug information.
  package let file: String?
  /// The first line at or after the address that a person wrote.
  package let line: Int?

  /// Whether its source file belongs to a package that SwiftPM has fetched; false without debug
  /// information.
  package let isOfDependency: Bool

  /// The address that was asked for.
  let address: UInt
  /// What the demangled name says.
  let parts: SymbolName

  /// A symbol with all that is known of it.
  init(
    at address: UInt, parts: SymbolName, library: String, isLibrary: Bool, isData: Bool,
    offset: Int, file: String?, line: Int?, isOfDependency: Bool = false
  ) {
    self.address = address
    self.parts = parts
    self.library = library
    self.isLibrary = isLibrary
    self.isData = isData
    self.offset = offset
    self.file = file
    self.line = line
    self.isOfDependency = isOfDependency
  }
}

extension Symbol {
  /// Whether the code is certain to be a library's, also where that is linked statically.
  ///
  /// Specializations and thunks do not count: the compiler makes them for the program's own functions.
  var isInLibrary: Bool {
    guard isLibrary, parts.glue == nil, !parts.short.hasSuffix(abi.frames.taskInit) else {
      return false
    }
    return !abi.glue.specializations.contains { fullName.hasPrefix("\($0)") }
  }
}

/// Tells library code from the code under study.
package enum LibraryCode {
  /// A library's inlinable functions end up in the program: the module tells, where it is known.
  static func contains(module: String?, library: String) -> Bool {
    if let module, abi.libraries.modules.contains(module) { return true }
    return abi.libraries.files.contains { library.hasPrefix($0) }
  }

  /// Whether a function is the runtime's own, which may be linked statically: it is in C++, and in the
  /// namespace `swift`, or it is local to its file and has a type of that namespace.
  ///
  /// - Parameter mangledName: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling.
  package static func isOfRuntime(_ mangledName: String) -> Bool {
    guard mangledName.hasPrefix("_Z") else { return false }
    let name = mangledName.dropFirst(2).drop { $0.isUppercase }
    let isLocal = mangledName.hasPrefix("_ZL") || name.hasPrefix("12_GLOBAL__N_1")
    return name.hasPrefix("5swift") || isLocal && name.contains("N5swift")
  }
}
