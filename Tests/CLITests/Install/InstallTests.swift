import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("What make install puts in place") struct InstallTests {
  @Test("a manual page that lint has nothing to say of") func manual() throws {
    let page = try MemlabBinary.run(["man"]).stdout
    for checker in [
      [Installed.groff, "-man", "-ww", "-z"], [Installed.mandoc, "-Tlint", "-Wwarning"],
    ] where Installed.has(checker[0]) {
      let run = try Program(URL(fileURLWithPath: checker[0])).run(
        Array(checker.dropFirst()), stdin: page)
      #expect(run == ProgramResult(), "\(checker[0])")
    }
    for scenario in Catalog.scenarios {
      #expect(page.contains("\\fB\(scenario.id.replacing("-", with: "\\-"))\\fR\n"))
    }
    for code in [0, 1, 64, 65, 70, 74] { #expect(page.contains("\\fB\(code)\\fR\n")) }
  }

  @Test("a manual page with the day of the commit, and without one with the day of the build")
  func date() throws {
    let page = try MemlabBinary.run(["man"], environment: ["SOURCE_DATE_EPOCH": "1700000000"])
    #expect(
      page.stdout.hasPrefix(".TH \"MEMLAB\" \"1\" \"2023-11-14\" "), "\(page.stdout.prefix(200))")
    let memlab = MemlabBinary.folder.appending(path: "memlab")
    let built = try #require(
      memlab.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate)
    for unset in [nil, "", "today"] {
      let page = try MemlabBinary.run(["man"], environment: ["SOURCE_DATE_EPOCH": unset])
      #expect(page.stdout.contains(" \"\(built.formatted(.iso8601.year().month().day()))\" "))
    }
  }

  @Test(
    "a binary, its libraries, completions and the manual, and takes all of them away again",
    .enabled(if: Installed.has(Installed.make)))
  func install() throws {
    let stage = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: stage) }
    let words = ["PREFIX=/opt/memlab", "DESTDIR=\(stage.path)", "FROM=\(MemlabBinary.folder.path)"]
    try Self.make(["install-built"] + words)
    // The portable configuration has none of these: it watches no program.
    let libraries = ["libmemlab-agent.so", "libmemlab-probe.so"].filter {
      FileManager.default.fileExists(atPath: MemlabBinary.folder.appending(path: $0).path)
    }
    let names =
      ["bin/memlab"] + (libraries + ["memlab-full"]).map { "lib/memlab/\($0)" } + [
        "share/bash-completion/completions/memlab", "share/fish/vendor_completions.d/memlab.fish",
        "share/man/man1/memlab.1", "share/zsh/site-functions/_memlab",
      ]
    #expect(Self.files(in: stage) == names.map { "opt/memlab/\($0)" })
    let installed = Program(stage.appending(path: "opt/memlab/bin/memlab"))
    #expect(try installed.run(["--version"]) == MemlabBinary.run(["--version"]))
    let refusal = try installed.run(["watch", "/bin/sh"]).stderr
    #expect(libraries.isEmpty || refusal.contains("'/bin/sh' has no Swift in it"), "\(refusal)")
    try Self.make(["uninstall"] + words)
    #expect(Self.files(in: stage) == [])
  }

  private static func make(_ words: [String]) throws {
    let run = try Program(URL(fileURLWithPath: Installed.make)).run(
      ["--silent", "-C", Repository.root.path] + words, environment: ["MAKEFLAGS": nil])
    #expect(run.exitCode == 0, "\(run.stderr)")
  }

  private static func files(in folder: URL) -> [String] {
    Repository.files(in: ".", endingIn: "", root: folder).map { String($0.dropFirst(2)) }
      .filter { name in
        var isFolder: ObjCBool = false
        let path = folder.appending(path: name).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && !isFolder.boolValue
      }
  }
}
