/// Names of functions and variables, from the symbol tables of the files that were loaded.
enum SymbolNames {
  /// The readable name of what an address lies in; nil when no symbol covers it.
  static func name(at address: UInt) -> String? {
    UnsafeRawPointer(bitPattern: address).flatMap(Symbolizer.shared.name(of:))
  }
}
