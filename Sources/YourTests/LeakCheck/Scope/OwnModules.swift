/// The library's own modules: their functions and classes are not the test's.
enum OwnModules {
  /// Their names. A package may have renamed this one because another has the same name.
  static let names: Set<String> = {
    let name = "\(#fileID)".prefix { $0 != "/" }
    return [String(name), "LeakCheckAll", "LeakCheckXCTest"]
  }()
}
