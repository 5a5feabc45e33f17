import CMemlabProcess
import MemlabRuntimeABI

extension loaded_segment {
  /// The file that it was loaded from; `/proc/self/exe` for the program itself.
  var file: String {
    let file = path.map { String(cString: $0) } ?? ""
    return file.isEmpty ? "/proc/self/exe" : file
  }

  /// Whether it is the Swift core library, loaded as a library of its own.
  var isCore: Bool { name.hasPrefix(abi.libraries.core) }

  /// The last component of the file's path; the program's own name for the program.
  var name: String {
    let file = self.file
    return lastComponent(of: file == "/proc/self/exe" ? Self.executablePath : file)
  }

  private static let executablePath = ProcessFiles.target(ofLink: "/proc/self/exe")
}

/// What follows the last slash.
func lastComponent(of path: String) -> String {
  let bytes = path.utf8
  guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
  return String(path[bytes.index(after: slash)...])
}

/// Looks up what C libraries export and Swift's `Glibc` module doesn't declare.
enum CFunction {
  /// The function of that name, or nil when no loaded library exports it.
  ///
  /// - Parameter type: a `@convention(c)` function type that matches the C declaration.
  static func named<Function>(_ name: String, as type: Function.Type) -> Function? {
    loaded_symbol(name).map { unsafeBitCast($0, to: type) }
  }

  /// The address of what is exported under a name; nil when no loaded library exports it.
  static func address(_ name: String) -> UInt? { loaded_symbol(name).map { UInt(bitPattern: $0) } }
}
