import Foundation
import MemlabCLI
import MemlabKit
import MemlabPlatform
import MemlabTerminalText
import Synchronization
import TestSupport
import Testing

@Suite("memlab report") struct ReportCommandTests {
  @Test("ends with 0 when every scenario keeps its word") func kept() {
    let page = Page.run(["report", "--html", "-"], [Samples.scenario(claiming: .clean)]).exits(
      .success)
    #expect(page.stdout.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\""))
    #expect(page.stdout.contains("1 scenario, 1 ending: 1 as declared, 0 not"))
    #expect(!page.stdout.contains("Measured otherwise than declared"))
  }

  @Test("ends with 1 when one does not, with the page still written and saying so") func broken() {
    let page = Page.run(["report", "--html", "-"], [Samples.scenario(claiming: .leak)]).exits(
      .unexpected)
    #expect(page.stdout.contains("Measured otherwise than declared"))
    #expect(page.stdout.contains("<li>verdict: expected leak, measured clean</li>"))
    #expect(page.stdout.contains("CLEAN</strong>, NOT as expected"))
    #expect(page.stdout.hasSuffix("</html>\n"))
  }

  @Test("says in the page that the heap was not read, where it was not") func unreadHeap() {
    let page = Page.run(["report", "--html", "-"], [Samples.scenario(claiming: .clean)]).says(
      "Note: the heap was not read: a test has none.", "nobody knows who holds what is left")
    #expect(page.stderr == "Note: the heap was not read: a test has none\n")
  }

  @Test("ends with 70 and writes nothing when a planted leak is not seen") func blind() {
    Page.run(
      ["report", "--html", "-"], [Samples.scenario(claiming: .clean)],
      selfCheck: Samples.blindSelfCheck
    ).exits(.untrusted).saysNothing()
  }

  @Test("names the scenarios that it leaves out, with what to type to see them")
  func leftOut() throws {
    let scenario = Samples.scenario(claiming: .clean)
    let other = Scenario(
      id: "other", title: "another one", next: "sample", endings: [Samples.ending(.clean)])
    let page = Page.run(["report", "other", "--html", "-"], [scenario, other]).exits(.success).says(
      "next: <a href=\"#left-out/sample\"><code>memlab sample</code></a>",
      "<li id=\"left-out/sample\" tabindex=\"-1\">")
    #expect(!page.stdout.contains("id=\"left-out/other\""))
    let whole = Page.run(["report", "--html", "-"], [scenario, other]).exits(.success)
    #expect(!whole.stdout.contains("left-out"))
  }

  private static let hardCases = Program(MemlabBinary.folder.appending(path: "HardCases"))

  @Test("ends with 70 and writes nothing when an ending could not be measured", .needsIsolation)
  func unmeasured() throws {
    let run = try Self.hardCases.run(["spoiling", "report", "spoiler", "--html", "-"]).exits(70)
    #expect(run.stdout == "")
    #expect(
      run.stderr == "Error: spoiler, ending 'exit', step 2: its process ended early, with code 0\n")
  }

  @Test("ends with 70 where the heap is required and cannot be read") func requiredHeap() throws {
    let words = ["report", "namesakes", "--html", "-"]
    let elsewhere = ["MEMLAB_ABI_MUTANT": "task.status"]
    let run = try Self.hardCases.run(words + ["--require-heap"], environment: elsewhere).exits(70)
    #expect(run.stderr.hasPrefix("Error: the heap was not read: "), "\(run.stderr)")
    let tolerant = try Self.hardCases.run(words, environment: elsewhere)
    #expect(tolerant.stderr.hasPrefix("Note: the heap was not read: "), "\(tolerant.stderr)")
    #expect(tolerant.stdout.contains("<p class=\"notice\">Note: the heap was not read: "))
  }

  @Test("finds in the JSON of a run why the heap was not read") func unreadHeapInJSON() throws {
    let page = Page.run(["sample", "--format", "json"], [Samples.scenario(claiming: .clean)])
    let report = try page.stdout.decoded(as: Report.self)
    #expect(report.remark == "the heap was not read: a test has none")
  }

  @Test("ends with 64 when nothing says where to write") func noFile() throws {
    let run = try MemlabBinary.run(["report", "strong-self"]).exits(64).saysNothing()
    #expect(run.stderr.hasPrefix("Error: Missing expected argument '--html <file>'\nUsage: "))
  }

  @Test("ends with 74 and a sentence where the page cannot be written") func unwritable() throws {
    let file = try MemlabBinary.run(["report", "strong-self", "--html", "/no/such/page.html"])
    #expect(file.exitCode == 74)
    #expect(
      file.stderr
        == "Error: The file '/no/such/page.html' could not be written: No such file or directory.\n"
    )
    let device = try MemlabBinary.run(["report", "strong-self", "--html", "/dev/full"]).exits(74)
    #expect(device.stderr.hasSuffix("could not be written: No space left on device.\n"))
    try MemlabBinary.run(["report", "strong-self", "--html", "-"], stdout: .file("/dev/full"))
      .exits(74)
  }

  @Test("writes the same to a file as to the standard output, and says where it is")
  func file() throws {
    let file = Scratch.place(".html")
    let run = try MemlabBinary.run(["report", "deinit-finish", "--html", file.path])
    #expect(run == ProgramResult(stderr: "The page is in '\(file.path)'.\n"))
    let piped = try MemlabBinary.run(["report", "deinit-finish", "--html", "-"])
    #expect(try String(contentsOf: file, encoding: .utf8) == piped.stdout)
    #expect(piped.stderr == "")
  }
}

@Suite("A file that is written whole or not at all") final class WholeFileTests {
  private let folder: String

  /// Begins with an empty folder.
  init() throws { folder = try Scratch.folder().path }

  @Test("is there with the text, and nothing else is") func new() throws {
    try WholeFile(folder + "/page.html").write("whole")
    #expect(try contents(folder) == ["page.html": "whole"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/page.html")
    #expect((mode[.posixPermissions] as? Int).map { $0 & 0o600 } == 0o600)
  }

  @Test("replaces what was there, and keeps its permissions") func replacement() throws {
    let path = folder + "/page.html"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try WholeFile(path).write("new")
    #expect(try contents(folder) == ["page.html": "new"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test("goes where a link points to") func link() throws {
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/page.html"))
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "page.html")
    try WholeFile(folder + "/link").write("new")
    #expect(try contents(folder) == ["page.html": "new", "link": "new"])
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link")
    #expect(target == "page.html")
  }

  @Test("takes the place of a link that points to nothing") func danglingLink() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "missing.html")
    try WholeFile(folder + "/link").write("new")
    #expect(try contents(folder) == ["link": "new"])
  }

  @Test("is what it was when the disk is full half-way, and leaves nothing behind")
  func fullDisk() throws {
    let path = folder + "/page.html"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let full = WholeFile(path) { descriptor, bytes in
      guard bytes.count > 3 else { return .failed(28) }
      return SystemCalls.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.dropLast(3)))
    }
    #expect(throws: OutputError(code: 28, file: path)) { try full.write("something new") }
    #expect(try contents(folder) == ["page.html": "old"])
  }

  @Test("is not made where there is no folder, and the error names it") func noFolder() throws {
    let path = folder + "/missing/page.html"
    let error = #expect(throws: OutputError.self) { try WholeFile(path).write("text") }
    let sentence = error?.description ?? ""
    #expect(sentence.hasSuffix(" could not be written: No such file or directory.\n"))
    #expect(try contents(folder).isEmpty)
  }

  @Test("does not take the place of a folder or a device") func others() throws {
    let error = #expect(throws: OutputError.self) { try WholeFile(folder).write("text") }
    #expect(error?.description.hasSuffix("Is a directory.\n") == true)
    try WholeFile("/dev/null").write("text")
    let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(kind as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test("is added to what is there where it is the standard output by another name")
  func stream() throws {
    let script = "echo before > f; \"$0\" report --html /dev/stdout retain-cycle >> f"
    try MemlabBinary.runInShell(script, in: folder).exits(0)
    let text = try String(contentsOfFile: folder + "/f", encoding: .utf8)
    #expect(text.hasPrefix("before\n<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
  }

  @Test("is a sentence where it would be larger than files may be, and leaves nothing")
  func tooLarge() throws {
    let script = "ulimit -f 8; exec \"$0\" report --html f retain-cycle"
    let run = try MemlabBinary.runInShell(script, in: folder).exits(74)
    #expect(run.stderr.contains("File too large"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test("can be the user's alone, also where others could read the one before")
  func secret() throws {
    let path = folder + "/s1.memlab"
    for mode in [nil, 0o644, 0o666] {
      if let mode {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      }
      try WholeFile(path, isPrivate: true).write("names")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("is not reached by a link or a pipe of another user where all may write")
  func traps() throws {
    let (open, own) = (folder + "/open", folder + "/own")
    for folder in [open, own] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    try FileManager.default.createDirectory(
      atPath: open + "/theirs", withIntermediateDirectories: false)
    for folder in [open, open + "/theirs", own] {
      for (link, target) in [("link", own + "/page.html"), ("way", own), ("loop", "loop")] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/\(link)", withDestinationPath: target)
      }
      try #require(mkfifo(folder + "/pipe", 0o666) == 0)
    }
    try FileManager.default.createSymbolicLink(
      atPath: own + "/out", withDestinationPath: "../open/link")
    try Data("mine".utf8).write(to: URL(filePath: own + "/page.html"))
    // The tests may run as root, whom everybody has to trust.
    let other: uid_t = geteuid() == 0 ? 12345 : geteuid()
    let user: uid_t = geteuid() == 0 ? 0 : geteuid() + 1
    if geteuid() == 0 {
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        lchown("\(folder)/\(name)", other, other)
      }
    }
    for mode in [0o777, 0o1777] {
      chmod(open, mode_t(mode))
      let traps = [
        "open/link", "open/pipe", "open/way/page.html", "open/way/new.html", "own/out",
        "open/theirs/link", "open/theirs/pipe", "open/loop", "own/../open/./link",
      ]
      for path in traps {
        let isSeen = WholeFile.isTrap("\(folder)/\(path)", for: user)
        #expect(isSeen, "\(path)")
        #expect(!WholeFile.isTrap("\(folder)/\(path)", for: other), "own \(path)")
        // To write into a pipe that nobody reads takes forever.
        guard user == geteuid(), isSeen else { continue }
        let error = #expect(throws: OutputError.self) {
          try WholeFile("\(folder)/\(path)").write("theirs")
        }
        #expect(error?.description.contains("another user has put a link or a pipe there") == true)
      }
    }
    chmod(open, 0o755)
    // Where the folders above are others', too, all may write into one of them: /tmp.
    let isBelowTmp = SystemCalls.status(of: "/tmp").map { $0.st_mode & S_IWOTH != 0 } ?? false
    for path in ["page.html", "new.html", "missing/new.html"] {
      #expect(!WholeFile.isTrap("\(own)/\(path)", for: user))
    }
    #expect(WholeFile.isTrap(own + "/link", for: user) == (isBelowTmp && own.hasPrefix("/tmp")))
    #expect(!WholeFile.isTrap("/dev/null", for: user))
    #expect(!WholeFile.isTrap("/dev/stdout", for: user))
    #expect(try String(contentsOfFile: own + "/page.html", encoding: .utf8) == "mine")
  }

  #if os(Linux)
    // Only root can give files away. What it looks at is one moment a file and the next one a link.
    @Test(
      "is not reached by a link that another user puts there meanwhile",
      .enabled(if: geteuid() == 0))
    func race() throws {
      let place = folder + "/page.html"
      try Data("mine".utf8).write(to: URL(filePath: folder + "/victim"))
      chmod(folder, 0o1777)
      // Nothing is swapped while the two are laid: a link that stays root's own may be followed.
      let turn = Mutex(())
      // What is written takes the place of the one or the other.
      func lay() throws {
        try turn.withLock { _ in
          for name in [place, place + "-file"] { unlink(name) }
          try Data("theirs".utf8).write(to: URL(filePath: place + "-file"))
          symlink(folder + "/victim", place)
          for name in [place, place + "-file"] { lchown(name, 12345, 12345) }
        }
      }
      try lay()
      let isOver = Atomic(false)
      typealias Exchange =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
      let exchange = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: Exchange.self) }
      try #require(exchange != nil)
      let swapped = Thread {
        while !isOver.load(ordering: .relaxed) {
          // renameat2(2) with RENAME_EXCHANGE.
          _ = turn.withLock { _ in exchange?(AT_FDCWD, place, AT_FDCWD, place + "-file", 2) }
        }
      }
      swapped.start()
      var (written, refused) = (0, 0)
      // On a busy machine, the other thread may not run for a while.
      while min(written, refused) < 20, written + refused < 20_000 {
        if (try? WholeFile(place).write("new")) != nil {
          written += 1
          try? lay()
        } else {
          refused += 1
        }
      }
      isOver.store(true, ordering: .relaxed)
      #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "mine")
      #expect(written > 0 && refused > 0, "\(written) \(refused)")
    }
  #endif

  private func contents(_ folder: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: try names.map { name in
        (name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
      })
  }
}
