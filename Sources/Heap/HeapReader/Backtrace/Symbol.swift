package import MemlabHeapModel
import MemlabRuntimeABI

/// A function or variable found at an address.
package struct Symbol: Sendable, Equatable {
  /// Its short name; a variable comes with the type that it belongs to.
  package var name: String { isData && parts.glue == nil ? parts.qualified : parts.short }
  /// Its whole demangled name.
  package var fullName: String { parts.full }
  /// The module that declares it, where the name says so.
  package var module: String? { parts.module }
  /// The address that was asked for.
  let address: UInt
  /// What the demangled name says.
  let parts: SymbolName
  /// The file name of the executable or shared library that it was found in.
  package let library: String
  /// Whether it belongs to Swift's libraries or to the system's.
  package let isLibrary: Bool
  /// Whether it is a variable or a table rather than code.
  package let isData: Bool
  /// How far from its beginning the address lies, in bytes.
  package let offset: Int
  /// The first line at or after the address that a person wrote; nil without debug information.
  package let location: CodeLocation?

  /// Whether its source file belongs to a package that SwiftPM has fetched; false without debug
  /// information.
  package var isOfDependency = false

  /// Whether the code is certain to be a library's, also where that is linked statically.
  ///
  /// Specializations and thunks do not count: the compiler makes them for the program's own functions.
  var isInLibrary: Bool {
    isLibrary && parts.glue == nil && !parts.short.hasSuffix(abi.frames.taskInit)
      && !abi.glue.specializations.beginsOne(fullName)
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

/// The parts of a symbol's name that a report shows.
///
/// The standard library only gives the demangled text, so the parts are cut out of it. A text of
/// unforeseen shape is shown as it is.
struct SymbolName: Sendable, Equatable {
  /// Code that the compiler wrote to connect two functions.
  enum Glue: Sendable {
    /// Stands for the function named after it, which runs right inside.
    case forwarder
    /// Converts a calling convention; names no function at all.
    case reabstraction
  }

  /// The demangled name of the whole function, without the part that resumes.
  let full: String
  /// The function without module, types and parameters, inside the functions around it:
  /// `closure #1 in closure #1 in didChangeDataCache`.
  let short: String
  /// The innermost function with its types: `AsyncThrowingStream.Iterator.next()`.
  let qualified: String
  /// The module that declares it, nil where the name doesn't say.
  let module: String?
  /// What the compiler made the function for; nil for one that somebody wrote.
  let glue: Glue?
  /// Whether it is a function that somebody wrote, and not a closure.
  private(set) var isFunction = false
  /// Whether it is what the compiler makes of a reference to a method, such as `self.show`: a closure
  /// in a closure that nobody wrote.
  private(set) var isMethodReference = false
  /// Whether it is a closure that the compiler has put around an expression, as for an `@autoclosure`.
  private(set) var isAutoclosure = false

  /// Takes a linker name apart.
  init(mangled: String) {
    let base = Demangling.variable(ofConstant: Demangling.withoutResumeSuffix(mangled))
    guard let text = Demangling.demangle(base) else {
      full = Demangling.runtimeFunction(base) ?? base
      (short, qualified, module, glue) = (full, full, nil, nil)
      return
    }
    full = text
    var parser = DemangledParser(text)
    glue = parser.glue()
    let scopes = glue == .reabstraction ? nil : parser.scopes()
    guard let scopes, let innermost = scopes.first, let outermost = scopes.last else {
      (short, qualified, module) = (text, text, nil)
      return
    }
    isFunction = innermost.isFunction
    isMethodReference = scopes.count > 2 && scopes.prefix(2).allSatisfy(\.isImplicitClosure)
    isAutoclosure = innermost.isImplicitClosure && !isMethodReference
    let visible = scopes.filter { !$0.isImplicitClosure }
    short = (visible.isEmpty ? scopes : visible).map(\.short).joined(separator: " in ")
    qualified = innermost.qualified
    module = outermost.module
  }
}

/// One function, variable or closure of a demangled name.
struct NameScope {
  /// The declared name and the types around it, outermost first.
  var path: [String] = []
  /// The module that declares it.
  var module: String?
  /// Whether it is a function, or part of one.
  var isFunction = false
  /// Whether it is a closure that the compiler wrapped around an expression.
  var isImplicitClosure = false

  /// The types and the name: `AsyncThrowingStream.Iterator.next()`.
  var qualified: String { path.joined(separator: ".") + (isFunction ? "()" : "") }

  /// The name; with its type where the name alone says nothing.
  var short: String {
    let words = ["init", "deinit", "subscript", "__allocating_init", "__deallocating_deinit"]
    let count = words.contains(path.last ?? "") ? 2 : 1
    return path.suffix(count).joined(separator: ".") + (isFunction ? "()" : "")
  }
}
