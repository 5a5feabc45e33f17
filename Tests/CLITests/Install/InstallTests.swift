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
    "a binary, its libraries, completions and the manual, and takes them away again, and no other file",
    arguments: Slow.all(["/opt/my tools $HOME's", "/opt/memlab"], orEach: 2))
  func install(prefix: String) throws {
    let stage = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + " a b")
    defer { try? FileManager.default.removeItem(at: stage) }
    // Files of others, some of them where words of the prefix lead.
    let others = [
      "opt/my", "bin/memlab", "tools/bin/memlab", "\(prefix.dropFirst())/bin/other",
      "\(prefix.dropFirst())/lib/memlab/other.txt", "lib/memlab/other.txt",
    ].filter { $0 != "opt/my" || prefix.contains(" ") }.sorted()
    for other in others { try Scratch.write("", to: stage.appending(path: other)) }
    let built = stage.appending(path: "what is built")
    try FileManager.default.createSymbolicLink(at: built, withDestinationURL: MemlabBinary.folder)
    let environment: [String: String?] = ["PREFIX": prefix, "DESTDIR": stage.path]
    for _ in 1...2 { try Self.script(["install", built.path], environment) }
    try FileManager.default.removeItem(at: built)
    // The portable configuration has none of these: it watches no program.
    let libraries = ["libmemlab-agent.so", "libmemlab-probe.so"].filter {
      FileManager.default.fileExists(atPath: MemlabBinary.folder.appending(path: $0).path)
    }
    let names =
      ["bin/memlab"] + (["installed"] + libraries + ["memlab-full"]).map { "lib/memlab/\($0)" } + [
        "share/bash-completion/completions/memlab", "share/fish/vendor_completions.d/memlab.fish",
        "share/man/man1/memlab.1", "share/zsh/site-functions/_memlab",
      ]
    let installed = Self.files(in: stage).filter { !others.contains($0) }
    let ofSwift = installed.filter {
      $0.contains(#/lib/memlab/lib(swift|dispatch|Blocks|Foundation)[^/]*\.so$/#)
    }
    #expect(ofSwift.isEmpty != installed.contains { $0.hasSuffix("/lib/memlab/libswiftCore.so") })
    #if os(Linux)
      #expect(!ofSwift.isEmpty)
    #endif
    #expect(
      installed.filter { !ofSwift.contains($0) } == names.map { "\(prefix.dropFirst())/\($0)" })
    let memlab = Program(stage.appending(path: "\(prefix.dropFirst())/bin/memlab"))
    #expect(try memlab.run(["--version"]) == MemlabBinary.run(["--version"]))
    let refusal = try memlab.run(["watch", "/bin/sh"]).stderr
    #expect(libraries.isEmpty || refusal.contains("'/bin/sh' has no Swift in it"), "\(refusal)")
    try Self.script(["uninstall"], environment)
    #expect(Self.files(in: stage) == others)
    #expect(try Self.script(["uninstall"], environment).stderr.hasPrefix("Nothing to remove: "))
    #expect(Self.files(in: stage) == others)
  }

  @Test(
    "files that others may read, in the place of links, whatever the folder of what is built is called"
  )
  func modes() throws {
    let stage = Scratch.place()
    let page = stage.appending(path: "share/man/man1/memlab.1")
    try Scratch.write("theirs", to: stage.appending(path: "other"))
    try Scratch.write("", to: page)
    try FileManager.default.removeItem(at: page)
    try FileManager.default.createSymbolicLink(
      at: page, withDestinationURL: stage.appending(path: "other"))
    let own = page.deletingLastPathComponent().path
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: own)
    let folder = Repository.url("-built-\(UUID().uuidString)")
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: MemlabBinary.folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = Repository.url("Scripts/install.sh").path
    let run = try Program(URL(filePath: "/bin/bash")).run(
      ["-c", "umask 077 && exec \"$0\" install \"$1\"", script, folder.lastPathComponent],
      environment: ["PREFIX": stage.path, "DESTDIR": nil])
    #expect(run.exitCode == 0, "\(run.stderr)")
    #expect(try String(contentsOf: stage.appending(path: "other"), encoding: .utf8) == "theirs")
    for name in [
      "bin", "bin/memlab", "lib/memlab", "lib/memlab/installed", "share/man/man1",
      "share/man/man1/memlab.1",
    ] {
      let place = stage.appending(path: name).path
      let mode = try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int
      #expect(mode.map { $0 & 0o044 } == (place == own ? 0 : 0o044), "\(name)")
    }
  }

  @Test("removes nothing that it does not install, whatever its list says") func list() throws {
    let stage = Scratch.place()
    let others = [
      "outside.txt", "usr/bin/sh", "usr/share/man/man1/sh.1", "usr/lib/memlab/x/y", "theirs/file",
    ]
    for other in others + ["usr/bin/memlab"] {
      try Scratch.write("", to: stage.appending(path: other))
    }
    let list = ["../outside.txt", "", "bin/sh", "share/../../outside.txt", "share/man/man1/sh.1"]
    try FileManager.default.createSymbolicLink(
      at: stage.appending(path: "usr/lib/memlab/link"),
      withDestinationURL: stage.appending(path: "theirs"))
    try Scratch.write(
      (list + [
        "lib/memlab/x", "lib/memlab/link/file", "lib/memlab/installed", "/bin/sh", "bin/memlab",
      ]).joined(separator: "\n") + "\n",
      to: stage.appending(path: "usr/lib/memlab/installed"))
    try Self.script(["uninstall"], ["PREFIX": stage.path + "/usr", "DESTDIR": nil])
    #expect(Self.files(in: stage) == others.sorted())
  }

  @Test("nothing below a path that depends on where it is typed", arguments: ["~/.local", "tools"])
  func relative(prefix: String) throws {
    let run = try Self.script(["install", "/"], ["PREFIX": prefix], code: 64)
    #expect(run.stderr.contains("Error: PREFIX is '\(prefix)'. Give a path from the root"))
  }

  @Test("through make, whatever the names", .enabled(if: Installed.has(Installed.make)))
  func make() throws {
    let prefix = "/no such folder/it's"
    try Program(URL(fileURLWithPath: Installed.make)).run(
      ["--silent", "-C", Repository.root.path, "uninstall", "PREFIX=\(prefix)"],
      environment: ["MAKEFLAGS": nil]
    ).exits(0).complains("'\(prefix)/lib/memlab/installed'")
  }

  @discardableResult private static func script(
    _ words: [String], _ environment: [String: String?], code: Int32 = 0
  ) throws -> ProgramResult {
    try Program(Repository.url("Scripts/install.sh")).run(words, environment: environment)
      .exits(code)
  }

  private static func files(in folder: URL) -> [String] {
    Repository.files(in: ".", endingIn: "", root: folder).map { String($0.dropFirst(2)) }
      .filter { !Repository.isFolder(folder.appending(path: $0)) }
  }
}
