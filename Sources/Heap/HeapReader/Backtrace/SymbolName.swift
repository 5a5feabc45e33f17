import MemlabHeapModel

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
  let isFunction: Bool
  /// Whether it is what the compiler makes of a reference to a method, such as `self.show`: a closure
  /// in a closure that nobody wrote.
  let isMethodReference: Bool

  /// Takes a linker name apart.
  init(mangled: String) {
    let base = Demangling.variable(ofConstant: Demangling.withoutResumeSuffix(mangled))
    guard let text = Demangling.demangle(base) else {
      full = Demangling.runtimeFunction(base) ?? base
      (short, qualified, module, glue) = (full, full, nil, nil)
      (isFunction, isMethodReference) = (false, false)
      return
    }
    full = text
    var parser = DemangledParser(text)
    glue = parser.glue()
    let scopes = glue == .reabstraction ? nil : parser.scopes()
    guard let scopes, let innermost = scopes.first, let outermost = scopes.last else {
      (short, qualified, module) = (text, text, nil)
      (isFunction, isMethodReference) = (false, false)
      return
    }
    isFunction = innermost.isFunction
    isMethodReference = scopes.count > 2 && scopes.prefix(2).allSatisfy(\.isImplicitClosure)
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
  var qualified: String {
    path.joined(separator: ".") + (isFunction ? "()" : "")
  }

  /// The name; with its type where the name alone says nothing.
  var short: String {
    let words = ["init", "deinit", "subscript", "__allocating_init", "__deallocating_deinit"]
    let count = words.contains(path.last ?? "") ? 2 : 1
    return path.suffix(count).joined(separator: ".") + (isFunction ? "()" : "")
  }
}
