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
    while let shorter = droppingPart(bytes) ?? droppingCloneNumber(bytes) { bytes = shorter }
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
    guard bytes.last == UInt8(ascii: "_") else { return nil }
    let rest = droppingDigits(bytes.dropLast())
    guard rest.count < bytes.count - 1,
      abi.symbols.resumeSuffixes.contains(where: rest.hasSuffix)
    else { return nil }
    return rest.dropLast(2)
  }

  private static func droppingCloneNumber(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let rest = droppingDigits(bytes)
    guard rest.count < bytes.count, rest.last == UInt8(ascii: ".") else { return nil }
    return rest.dropLast()
  }

  private static func droppingDigits(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.prefix(bytes.count - bytes.reversed().prefix { (48...57).contains($0) }.count)
  }

  /// The bare name of a C++ function without parameters in its name, such as those of the Swift
  /// runtime: `_ZL23completeTaskWithClosureP…` gives `completeTaskWithClosure`.
  static func runtimeFunction(_ mangled: String) -> String? {
    let bytes = Array(mangled.utf8)
    guard bytes.starts(with: "_Z".utf8),
      let first = bytes.firstIndex(where: { (48...57).contains($0) })
    else { return nil }
    let digits = bytes[first...].prefix { (48...57).contains($0) }
    let length = Int(String(decoding: digits, as: UTF8.self)) ?? 0
    guard length > 0, digits.endIndex + length <= bytes.count else { return nil }
    return String(decoding: bytes[digits.endIndex..<digits.endIndex + length], as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes end with a text.
  func hasSuffix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && suffix(text.utf8CodeUnitCount).hasPrefix(text)
  }
}
