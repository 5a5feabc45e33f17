import Foundation
import MemlabPlatform
import TestSupport
import Testing

@Suite("memlab baseline") struct BaselineTests {
  private static let known = """
    # what we know
    00000000000a Clock is still alive, in A.b() # the login page keeps it

    00000000000b Old is still alive, in A.c()

    """

  private func compare(
    _ text: String, with summaries: [String], _ options: [String] = []
  ) throws -> (run: ProgramResult, file: String) {
    let folder = try Scratch.folder()
    let file = folder.appending(path: "known.txt")
    try text.write(to: file, atomically: true, encoding: .utf8)
    let paths = try summaries.enumerated().map { place, summary in
      let path = folder.appending(path: "\(place).json")
      try summary.write(to: path, atomically: true, encoding: .utf8)
      return path.path
    }
    let run = try MemlabBinary.run(["baseline", file.path] + paths + options)
    return (run, try String(contentsOf: file, encoding: .utf8))
  }

  private static func summary(_ leaks: [(String, String)]) -> String {
    let list = leaks.map {
      "{\"fingerprint\":\"\($0.0)\",\"title\":\"\($0.1)\",\"tests\":[\"A.b()\"],\"count\":1}"
    }
    return "{\"schema\":\"leakcheck.summary/1\",\"leaks\":[\(list.joined(separator: ","))]}"
  }

  @Test("tells what is known, gone and new, and fails on the latter two") func kinds() throws {
    let (run, file) = try compare(
      Self.known,
      with: [Self.summary([("00000000000a", "Clock")]), Self.summary([("00000000000c", "New")])])
    #expect(run.exitCode == 1)
    #expect(
      run.stdout == """
        known   line 2: Clock is still alive, in A.b() # the login page keeps it
        gone    line 4: Old is still alive, in A.c(): remove the line
        new     00000000000c New, in A.b()

        """)
    #expect(file == Self.known)
    let both = Self.summary([("00000000000a", "Clock"), ("00000000000b", "Old")])
    #expect(try compare(Self.known, with: [both]).run.exitCode == 0)
  }

  @Test("takes out what is gone, and nothing else") func removing() throws {
    let (run, file) = try compare(
      Self.known, with: [Self.summary([("00000000000a", "Clock")])], ["--remove-gone"])
    run.exits(0).says("removed line 4")
    #expect(
      file == """
        # what we know
        00000000000a Clock is still alive, in A.b() # the login page keeps it


        """)
  }

  @Test("leaves the lines that stay as they end") func lineEnds() throws {
    let text = Self.known.replacing("\n", with: "\r\n")
    let (_, file) = try compare(
      text, with: [Self.summary([("00000000000a", "Clock")])], ["--remove-gone"])
    #expect(file.hasPrefix("# what we know\r\n00000000000a Clock"))
    #expect(!file.unicodeScalars.split(separator: "\n").dropLast().contains { $0.last != "\r" })
  }

  @Test("takes away what was gone, though lines were added meanwhile") func meanwhile() throws {
    let path = try Scratch.folder().appending(path: "known.txt")
    try Data("00000000000a Gone\n".utf8).write(to: path)
    let file = BaselineFile(path: path.path)
    let entries = try file.entries()
    try Data("00000000000b New\n00000000000a Gone\n".utf8).write(to: path)
    try file.remove(entries)
    #expect(try String(contentsOf: path, encoding: .utf8) == "00000000000b New\n")
    DispatchQueue.concurrentPerform(iterations: 2) { part in
      for number in 100..<400 {
        try? part == 0 ? file.remove(entries) : file.add("000000000\(number)", "New", of: nil)
      }
    }
    #expect(try file.entries().count == 301)
  }

  @Test("has lines whose parts stay apart, whatever a task is called") func marks() throws {
    let file = BaselineFile(path: try Scratch.folder().appending(path: "known.txt").path)
    try file.add("00000000000a", "task \"a # b, in c\" has not finished", of: "A.b()")
    let entry = try #require(file.entries().first)
    #expect(entry.test == "A.b()" && entry.reason == nil)
  }

  @Test("refuses a line without a fingerprint, or what is not a summary, and writes nothing")
  func refusals() throws {
    let (run, file) = try compare("x y\n", with: [Self.summary([])], ["--remove-gone"])
    run.exits(64).complains("line 1, column 1: 'x' is no fingerprint")
    #expect(file == "x y\n")
    let other = try compare(Self.known, with: ["{}"], ["--remove-gone"])
    #expect(other.run.exitCode == 65 && other.file == Self.known, "\(other.run.stderr)")
    #expect(try MemlabBinary.run(["baseline", "/nowhere/x", "/nowhere/y"]).exitCode == 64)
  }
}
