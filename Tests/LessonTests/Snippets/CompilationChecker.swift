import Foundation
import TestSupport

/// Shows a block of Swift to the compiler.
struct CompilationChecker: Sendable {
  /// What is wrong with what the comment says of the block.
  func check(_ block: FencedBlock, comment: String) -> BlockResult {
    guard let comment = CompilationComment(comment) else {
      return .bad("write 'compiles: yes' or 'compiles: no, \"diagnostic\"', then flags")
    }
    do {
      let result = try compile(block.lines.joined(separator: "\n") + "\n", flags: comment.flags)
      return Self.problem(with: comment, result).map(BlockResult.bad) ?? .good
    } catch { return .bad("the compiler can't be run: \(error)") }
  }

  private static func problem(
    with comment: CompilationComment, _ result: ProgramResult
  ) -> String? {
    if comment.compiles, result.exitCode != 0 { return "this does not compile:\n\(result.stderr)" }
    if !comment.compiles, result.exitCode == 0 { return "this compiles, and is said not to" }
    let kind = comment.compiles ? "warning: " : "error: "
    guard let text = comment.diagnostic else { return nil }
    let isFound = result.stderr.split(separator: "\n").contains { line in
      line.range(of: kind).map { line[$0.upperBound...].contains(text) } ?? false
    }
    return isFound ? nil : "the compiler does not say '\(text)' but:\n\(result.stderr)"
  }

  /// Compiles as far as all diagnostics need: those of data races come after type checking.
  private func compile(_ source: String, flags: [String]) throws -> ProgramResult {
    let folder = try Scratch.folder()
    let file = folder.appending(path: "Snippet.swift")
    try Data(source.utf8).write(to: file)
    return try Program(URL(fileURLWithPath: "/usr/bin/env")).run(
      ["swiftc", "-emit-sil", "-o", "/dev/null"] + Self.modules + flags + [file.path])
  }

  /// Arguments with which memlab's own modules can be imported; those in C have a map each.
  private static let modules: [String] = {
    let folder = MemlabBinary.folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let maps = names.sorted().map { folder.appending(path: "\($0)/module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
    // The header of one module in C may include that of another.
    let headers = Repository.files(in: "Sources", endingIn: ".h").map {
      Repository.url($0).deletingLastPathComponent().path
    }
    return ["-I", folder.appending(path: "Modules").path]
      + Set(headers).sorted().flatMap { ["-Xcc", "-I\($0)"] }
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }()
}
