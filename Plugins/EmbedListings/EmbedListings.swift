import Foundation
import PackagePlugin

/// Puts the code that sources mark with `// snippet:name` and `// snippet:end` into the binary.
///
/// Each build writes `Listing.all`, for `Scenario.showing(_:)`, from the sources of the target and of
/// the targets of this package that it depends on; it is compiled with the target and never committed.
/// It imports the product Memlab if the target has it, and else MemlabKit, as memlab's own scenarios do.
/// awk does it, because it is everywhere and needs no building.
@main
struct EmbedListings: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let targets: [any Target] = [target] + target.recursiveTargetDependencies
    var sources: [URL] = []
    for case let target as SwiftSourceModuleTarget in targets {
      for file in target.sourceFiles(withSuffix: "swift") where file.type == .source {
        let text = try String(contentsOf: file.url, encoding: .utf8)
        if text.contains("// snippet:") { sources.append(file.url) }
      }
    }
    sources.sort { $0.path < $1.path }
    let module = targets.contains { $0.name == "Memlab" } ? "Memlab" : "MemlabKit"
    let output = context.pluginWorkDirectoryURL.appending(path: "AllListings.swift")
    return [
      .buildCommand(
        displayName: "Embedding the code that \(target.name) shows",
        executable: URL(filePath: "/usr/bin/env"),
        arguments: ["awk", "-v", "output=\(output.path)", "-v", "module=\(module)", Self.program]
          + sources.map(\.path),
        inputFiles: sources,
        outputFiles: [output])
    ]
  }

  /// Writes a list of `Listing`s: the lines between two markers as they stand, and the number of the
  /// first.
  private static let program = #"""
    BEGIN {
      print "import " module "\n\nextension Listing {\n  static let all: [Listing] = [" > output
    }
    !/^ *\/\/ snippet:/ {
      if (isOpen) print > output
      next
    }
    isOpen {
      print "\"\"\"##)," > output
      isOpen = 0
    }
    {
      name = $0
      sub(/^ *\/\/ snippet: */, "", name)
      sub(/ *$/, "", name)
      if (name == "end") next
      path = FILENAME
      sub(/^.*\/Sources\//, "Sources/", path)
      printf "Listing(\"%s\", path: \"%s\", line: %d, marked: ##\"\"\"\n", name, path, FNR + 1 > output
      isOpen = 1
    }
    END {
      print "  ]\n}" > output
    }
    """#
}
