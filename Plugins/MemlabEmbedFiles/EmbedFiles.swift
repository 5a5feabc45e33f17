import Foundation
import PackagePlugin

/// Puts the files in a target's folder `Files` into the binary.
///
/// Each build writes `PageFile.all`; it is compiled with the target and never committed. awk does it,
/// for it is everywhere and needs no building.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Files")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "AllPageFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the files of \(target.name)",
        executable: URL(filePath: "/usr/bin/env"),
        arguments: ["awk", "-v", "output=\(output.path)", Self.program] + files.map(\.path),
        inputFiles: files,
        outputFiles: [output])
    ]
  }

  /// Writes a dictionary of texts by the names of their files.
  private static let program = #"""
    BEGIN {
      print "extension PageFile {\n  static let all: [String: String] = [" > output
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
}
