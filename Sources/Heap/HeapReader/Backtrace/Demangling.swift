import Glibc
import MemlabHeapModel
import MemlabRuntimeABI

/// Turns linker names into the names that a reader of the source knows.
enum Demangling {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let runtime = CFunction.named(abi.symbols.demangle, as: Demangle.self)

  /// The demangled name of a Swift symbol, or nil when it isn't one.
  ///
  /// `swift_demangle` is exported by the standard library that every Swift program loads.
  static func demangle(_ mangled: String) -> String? {
    // No name that somebody would read is as long, and the parser looks at some again and again.
    guard mangled.utf8.count < 1 << 13 else { return nil }
    var mangled = mangled
    let text = mangled.withUTF8 { runtime?($0.baseAddress, $0.count, nil, nil, 0) }
    guard let text else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The name of the function that an async function's part belongs to.
  ///
  /// The compiler cuts an async function at each `await`; what follows is a function of its own
  /// with the suffix `TQ0_` (the awaited call returned) or `TY0_` (the executor was changed). A
  /// number after a dot, which LLVM adds to tell clones apart, is dropped as well.
  static func withoutResumeSuffix(_ mangled: String) -> String {
    var bytes = Array(mangled.utf8)[...]
    while let shorter = droppingPart(bytes) { bytes = shorter }
    return bytes.count == mangled.utf8.count ? mangled : String(decoding: bytes, as: UTF8.self)
  }

  /// The function that another one stands for, which only puts in what a closure has captured; nil for
  /// the name of any other function.
  static func forwarded(by mangled: String) -> String? {
    let suffix = abi.symbols.forwarderSuffix
    return mangled.hasSuffix(suffix) ? String(mangled.dropLast(suffix.utf8.count)) : nil
  }

  /// The name of the variable that a constant object belongs to; other names as they are.
  ///
  /// Optimised code lays out in the program what a variable is initialised with once, and calls it
  /// `outlined variable #0 of one-time initialization function for shared`: without the type that the
  /// linker's name has. The variable's own has its type, too, which no report shows.
  static func variable(ofConstant mangled: String) -> String {
    guard let suffix = mangled.firstRange(of: abi.symbols.constantMark) else { return mangled }
    return mangled[..<suffix.lowerBound] + abi.symbols.variableSuffix
  }

  private static func droppingPart(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let isPart = bytes.last == UInt8(ascii: "_")
    let numbered = isPart ? bytes.dropLast() : bytes
    let digits = numbered.reversed().prefix { (48...57).contains($0) }.count
    guard digits > 0 else { return nil }
    let rest = numbered.dropLast(digits)
    if !isPart { return rest.last == UInt8(ascii: ".") ? rest.dropLast() : nil }
    return abi.symbols.resumeSuffixes.contains(where: rest.hasSuffix) ? rest.dropLast(2) : nil
  }

  /// The bare name of a C++ function without parameters in its name, such as those of the Swift
  /// runtime: `_ZL23completeTaskWithClosureP…` gives `completeTaskWithClosure`.
  static func runtimeFunction(_ mangled: String) -> String? {
    let bytes = Array(mangled.utf8)
    guard bytes.starts(with: "_Z".utf8) else { return nil }
    let digits = bytes.drop { !(48...57).contains($0) }.prefix { (48...57).contains($0) }
    let length = Int(String(decoding: digits, as: UTF8.self)) ?? 0
    guard length > 0, length <= bytes.count - digits.endIndex else { return nil }
    return String(decoding: bytes[digits.endIndex..<digits.endIndex + length], as: UTF8.self)
  }
}

extension BidirectionalCollection where Element == UInt8 {
  /// Whether the bytes end with a text.
  func hasSuffix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && suffix(text.utf8CodeUnitCount).hasPrefix(text)
  }
}

/// Takes the text of a demangled name apart.
///
/// Works on bytes because names run to several hundred characters and debug builds are slow at
/// characters.
struct DemangledParser {
  private var text: ArraySlice<UInt8>

  /// Reads what the demangler wrote.
  init(_ text: String) { self.text = Array(text.utf8)[...] }

  /// Removes what the compiler says of its own work at the front, and tells what it was.
  mutating func glue() -> SymbolName.Glue? {
    var glue: SymbolName.Glue?
    while true {
      if abi.glue.forwarders.contains(where: { dropPrefix($0) }) {
        glue = .forwarder
      } else if dropPrefix(abi.glue.witness) {
        glue = .forwarder
        if let tail = find(abi.glue.conformance) { text = text[..<tail] }
      } else if text.hasPrefix(abi.glue.reabstraction) {
        return .reabstraction
      } else if keepInlinedClosure() {
        return .forwarder
      } else if !dropPrefix(abi.glue.merged) && !dropSpecialization() {
        return glue
      }
    }
  }

  /// The optimiser may inline a closure into a thunk: then only the thunk's name tells of it.
  private mutating func keepInlinedClosure() -> Bool {
    guard text.hasPrefix("function signature "), find("> of reabstraction thunk ") != nil else {
      return false
    }
    for marker in abi.glue.inlinedClosures {
      guard let start = find(marker).map({ $0 + marker.utf8CodeUnitCount }) else { continue }
      text = text[start..<endOfItem(from: start)]
      // The demangler leaves the names of such closures as the linker has them.
      if let closure = Demangling.demangle(String(decoding: text, as: UTF8.self)) {
        text = Array(closure.utf8)[...]
      }
      return true
    }
    return false
  }

  /// Where the item of a list in brackets ends.
  private func endOfItem(from start: Int) -> Int {
    var position = start
    while position < text.endIndex, !",]".utf8.contains(text[position]) {
      position = groupEnd(at: position) ?? position + 1
    }
    return min(position, text.endIndex)
  }

  /// The scopes of the name, innermost first; nil when brackets don't match.
  func scopes() -> [NameScope]? {
    var (start, position): (Int, Int) = (text.startIndex, text.startIndex)
    var scopes: [NameScope] = []
    while position < text.endIndex {
      if text[position] == UInt8(ascii: " "), text[position...].hasPrefix(" in ") {
        scopes.append(scope(text[start..<position]))
        position += 4
        start = position
      } else if let end = groupEnd(at: position) {
        guard end <= text.endIndex else { return nil }
        position = end
      } else {
        position += 1
      }
    }
    var outermost = scope(text[start...])
    let (first, isQualified) = (outermost.path.first, outermost.path.count > 1)
    outermost.module = isQualified ? outermost.module ?? first : first
    if isQualified { outermost.path.removeFirst() }
    scopes.append(outermost)
    return scopes.contains { $0.path.isEmpty } ? nil : scopes
  }

  private func scope(_ slice: ArraySlice<UInt8>) -> NameScope {
    var (slice, scope): (ArraySlice<UInt8>, NameScope) = (slice, NameScope())
    scope.isImplicitClosure = slice.hasPrefix(abi.glue.implicitClosure)
    if scope.isImplicitClosure || slice.hasPrefix(abi.glue.closure) {
      // `closure #1 () async -> ()` gives `closure #1`.
      let number = slice.firstIndex(of: UInt8(ascii: "#")) ?? slice.startIndex
      let end = slice[number...].firstIndex(of: UInt8(ascii: " ")) ?? slice.endIndex
      scope.path = [String(decoding: slice[..<end], as: UTF8.self)]
      return scope
    }
    if slice.hasPrefix("static ") { slice = slice.dropFirst(7) }
    if slice.hasPrefix(abi.glue.extensionMark), let end = groupEnd(at: slice.startIndex),
      end < slice.endIndex
    {
      scope.module = String(
        decoding: slice[..<(end - 1)].dropFirst(abi.glue.extensionMark.utf8CodeUnitCount),
        as: UTF8.self)
      slice = slice[(end + 1)...]
    }
    readPath(slice, into: &scope)
    if let last = scope.path.last, abi.glue.accessors.contains(last), !scope.isFunction {
      scope.path.removeLast()
    }
    return scope
  }

  /// Reads `Module.Type<Generic>.(private in _123ABC).name<T>(label: Type)` up to the parameters.
  private func readPath(_ slice: ArraySlice<UInt8>, into scope: inout NameScope) {
    var (position, expectsName): (Int, Bool) = (slice.startIndex, true)
    while position < slice.endIndex {
      let byte = slice[position]
      // Parameters follow the name; of a function inside a function, its number comes first. A function
      // type's attributes follow without a space: `consume@Sendable (Int)`.
      let isParameter = byte == UInt8(ascii: "(") && !expectsName || byte == UInt8(ascii: "@")
      if isParameter || slice[position...].hasPrefix(" #") {
        scope.isFunction = true
        return
      }
      if byte == UInt8(ascii: " ") { return }
      if byte == UInt8(ascii: ".") {
        (position, expectsName) = (position + 1, true)
      } else if byte == UInt8(ascii: "<") && expectsName {
        scope.path.append(String(decoding: slice[position...].prefix { $0 != 0x20 }, as: UTF8.self))
        return
      } else if var end = groupEnd(at: position) {
        if expectsName {
          // `(name in _123ABC)` gives `name`. Before a private `init` there is none; before one without
          // parameters, its type stands there: `() -> Type(in _123ABC).init()`.
          let group = slice[position..<min(end, slice.endIndex)].dropFirst()
          let name = String(decoding: group.prefix { $0 != 0x20 }, as: UTF8.self)
          if name == ")" { end = slice[end...].firstIndex(of: 0x28).flatMap(groupEnd) ?? end }
          if name != "in", name != ")" { scope.path.append(name) }
        }
        (position, expectsName) = (end, false)
      } else {
        let name = slice[position...].prefix { !".(<[ @".utf8.contains($0) }
        scope.path.append(String(decoding: name, as: UTF8.self))
        (position, expectsName) = (name.endIndex, false)
      }
    }
  }

  /// Where the bracket that opens here is closed: after it; beyond the end when it never is.
  private func groupEnd(at start: Int) -> Int? {
    guard change(at: start) == 1 else { return nil }
    var (depth, position) = (0, start)
    while position < text.endIndex {
      depth += change(at: position)
      position += 1
      if depth == 0 { return position }
    }
    return text.endIndex + 1
  }

  /// 1 where a bracket opens, -1 where one closes; arrows and operators' names are no brackets.
  private func change(at position: Int) -> Int {
    let before = position > text.startIndex ? text[position - 1] : 0
    switch text[position] {
    case UInt8(ascii: "("), UInt8(ascii: "["): return 1
    case UInt8(ascii: "<"): return before == UInt8(ascii: ".") ? 0 : 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"): return -1
    case UInt8(ascii: ">"): return before == UInt8(ascii: "-") ? 0 : -1
    default: return 0
    }
  }

  private mutating func dropPrefix(_ prefix: StaticString) -> Bool {
    guard text.hasPrefix(prefix) else { return false }
    text = text.dropFirst(prefix.utf8CodeUnitCount)
    return true
  }

  /// Removes `generic specialization <Swift.Int> of ` and its like.
  private mutating func dropSpecialization() -> Bool {
    guard abi.glue.specializations.contains(where: text.hasPrefix),
      let word = find("specialization <"), word - text.startIndex < 40,
      let end = find("> of ")
    else { return false }
    text = text[(end + 5)...]
    return true
  }

  private func find(_ needle: StaticString) -> Int? {
    let last = text.endIndex - needle.utf8CodeUnitCount
    guard last >= text.startIndex else { return nil }
    return (text.startIndex...last).first { text[$0...].hasPrefix(needle) }
  }
}
