import Foundation
import PackagePlugin

/// Puts what a program shows into its binary: the files in a target's folder `Files`, and where it has
/// none, the code that sources mark with `// snippet:name` and `// snippet:end`.
///
/// Each build writes Swift that is compiled with the target and never committed. awk does it, because
/// it is everywhere and needs no building. It is one plugin, because every build compiles all of them
/// before anything else. And it makes the solutions of the exercises: each file as it was shipped, with
/// the changes in the target's folder `Diffs`.
@main
struct MemlabEmbed: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let diffs = target.directoryURL.appending(path: "Diffs")
    if FileManager.default.fileExists(atPath: diffs.path) {
      return try Self.solve(diffs, into: context.pluginWorkDirectoryURL)
    }
    let folder = target.directoryURL.appending(path: "Files")
    let isOfFiles = FileManager.default.fileExists(atPath: folder.path)
    let targets = [target] + target.recursiveTargetDependencies
    let inputs =
      try isOfFiles
      ? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      : targets.flatMap(Self.listed)
    let module = targets.contains { $0.name == "Memlab" } ? "Memlab" : "MemlabKit"
    let output = context.pluginWorkDirectoryURL.appending(path: "Embedded.swift")
    return [
      .buildCommand(
        displayName: "Embedding what \(target.name) shows",
        executable: URL(filePath: "/usr/bin/env"),
        arguments: ["awk", "-v", "output=\(output.path)", "-v", "module=\(module)"]
          + [isOfFiles ? Self.files : Self.listings] + inputs.map(\.path).sorted(),
        inputFiles: inputs,
        outputFiles: [output])
    ]
  }

  /// Makes a file for each diff, from the exercise as shipped.
  private static func solve(_ diffs: URL, into folder: URL) throws -> [Command] {
    let shipped = diffs.appending(path: "../../Exercises/Shipped").standardized
    return try FileManager.default.contentsOfDirectory(
      at: diffs, includingPropertiesForKeys: nil
    ).map { diff in
      let name = diff.deletingPathExtension().lastPathComponent
      let inputs = [shipped.appending(path: "\(name).txt"), diff]
      let output = folder.appending(path: name)
      return .buildCommand(
        displayName: "Solving the exercise \(name)", executable: URL(filePath: "/usr/bin/env"),
        arguments: ["awk", "-v", "output=\(output.path)", patch] + inputs.map(\.path),
        inputFiles: inputs, outputFiles: [output])
    }
  }

  /// The sources of a target that mark code.
  private static func listed(in target: any Target) throws -> [URL] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    return try target.sourceFiles(withSuffix: "swift").filter { $0.type == .source }.map(\.url)
      .filter { try String(contentsOf: $0, encoding: .utf8).contains("// snippet:") }
  }

  /// Writes the first file with the changes of the second, which `diff -u` has written.
  private static let patch = #"""
    FNR == NR {
      old[++count] = $0
      next
    }
    /^@@ -/ {
      isOpen = 1
      while (place + 1 < substr($2, 2) + 0) print old[++place] > output
      next
    }
    !isOpen {
      next
    }
    /^\+/ {
      print substr($0, 2) > output
      next
    }
    old[++place] != substr($0, 2) {
      print FILENAME ": its line " FNR " does not fit the exercise as shipped." > "/dev/stderr"
      hasFailed = 1
      exit 1
    }
    /^ / {
      print old[place] > output
    }
    END {
      if (hasFailed) exit 1
      while (place < count) print old[++place] > output
    }
    """#

  /// Writes `Embedded.files`, a dictionary of texts by the names of their files.
  private static let files = #"""
    BEGIN {
      print "enum Embedded {\n  static let files: [String: String] = [" > output
    }
    FNR == 1 {
      if (NR > 1) print "\n\"\"\"###," > output
      name = FILENAME
      sub(/^.*\//, "", name)
      printf "\"%s\": ###\"\"\"\n", name > output
    }
    {
      print > output
    }
    END {
      print "\n\"\"\"###,\n  ]\n}" > output
    }
    """#

  /// Writes `Listing.all`, for `Scenario.showing(_:)`, from the sources of the target and of the targets
  /// of this package that it depends on: the lines between two markers as they stand, and the number of
  /// the first. It imports the product Memlab if the target has it, and else MemlabKit, as memlab does.
  private static let listings = #"""
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
