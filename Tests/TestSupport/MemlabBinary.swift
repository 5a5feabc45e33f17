package import Foundation

/// The built `memlab`, to run as a user would.
package enum MemlabBinary {
  /// The folder that the tests were built into; `memlab` lies beside them.
  package static let folder: URL = {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    #else
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }.map {
        $0.bundleURL.deletingLastPathComponent()
      } ?? Bundle.main.bundleURL
    #endif
  }()

  /// Variables that change what memlab prints, taken away so that every run is the same.
  package static let neutral: [String: String?] = [
    "COLUMNS": nil, "LINES": nil, "NO_COLOR": nil, "TERM": nil, "PAGER": nil,
  ]

  /// Runs a line of a shell in a folder; `$0` in it is `memlab`.
  package static func runInShell(_ line: String, in folder: String) throws -> ProgramResult {
    try Program(URL(filePath: "/bin/bash")).run(
      ["-c", "cd \"$1\" && " + line, Self.folder.appending(path: "memlab").path, folder],
      environment: neutral)
  }

  /// Runs memlab, or a program like it, and waits until it has ended.
  ///
  /// - Parameters:
  ///   - arguments: The arguments: `["run", "strong-self"]`.
  ///   - name: The program's name, in the folder that the tests were built into.
  ///   - stdin: What it may read.
  ///   - stdout: Where its standard output goes.
  ///   - environment: Variables to add, or to remove (nil), on top of `neutral`.
  /// - Throws: What Foundation throws when the binary can't be started.
  package static func run(
    _ arguments: [String] = [], of name: String = "memlab", stdin: String = "",
    stdout: StandardOutput = .captured, environment: [String: String?] = [:]
  ) throws -> ProgramResult {
    var result = try Program(folder.appending(path: name)).run(
      arguments, stdin: stdin, stdout: stdout, environment: neutral.merging(environment) { $1 })
    result.stderr = WithoutHeap.errors(result.stderr)
    return result
  }
}
