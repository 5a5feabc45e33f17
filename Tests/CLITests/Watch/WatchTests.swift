import Foundation
import MemlabCLI
import MemlabHeapModel
import MemlabRuntimeABI
import TestSupport
import Testing

@Suite("A program that is watched", .needsHeap, .serialized) struct WatchTests {
  /// What `memlab diff --format json` says.
  private struct Diff: Decodable {
    var groups: [Group]
    struct Group: Decodable {
      var title: String
      var growth, new, gone, blocks: Int
      var heldBy: String
      var parts: [Part]
    }
    struct Part: Decodable {
      var title: String
      var blocks: Int
    }

    func group(_ title: String) -> Group? { groups.first { $0.title == title } }
  }

  private func diff(_ program: Watched, _ names: String...) throws -> Diff {
    try program.memlab(["diff"] + names + ["--format", "json"]).exits(0).stdout.decoded()
  }

  @Test(
    "shows each planted leak with its exact count and its holder, and nothing else",
    arguments: Watched.programs)
  func planted(file: URL) throws {
    let program = try Watched(program: file)
    for request in ["remember 3", "subscribe 3", "cycle 3", "remind 3", "pass 3"] {
      try program.do(request)
    }
    let before = try program.snapshot("before")
    try program.do("pass 200")
    let clean = try program.snapshot("clean")
    #expect(try diff(program, before, clean).groups.map(\.title) == [])
    for request in ["remember 300", "subscribe 50", "cycle 20", "remind 10", "pass 100"] {
      try program.do(request)
    }
    let found = try diff(program, clean)
    let sessions = try #require(found.group("Session"))
    #expect(sessions.growth == 300)
    #expect(sessions.heldBy == "SessionCache.sessions")
    #expect(sessions.parts.first { $0.title == "Note" }?.blocks == 600)
    let tasks = try #require(found.groups.first { $0.title.hasPrefix("task") })
    #expect(tasks.growth == 50)
    #expect(tasks.heldBy == "the runtime")
    #expect(tasks.parts.first { $0.title == "Subscription" }?.blocks == 50)
    let cycles = found.groups.filter { ["Left", "Right"].contains($0.title) }
    #expect(cycles.map(\.growth).sorted() == [5, 15])
    #expect(cycles.allSatisfy { $0.heldBy == "a cycle of objects" })
    let reminders = found.groups.filter { group in group.parts.contains { $0.title == "Reminder" } }
    #expect(reminders.flatMap(\.parts).filter { $0.title == "Reminder" }.map(\.blocks) == [10])

    try program.memlab(["diff", before, "--fail-on-growth"]).exits(1).says(
      "+ 300 Session", "the edge to cut", "right → Right", "other → Right")
    let log = try SARIF(program.memlab(["diff", before, "--format", "sarif"]).exits(0).stdout)
    #expect(Set(log.results.map(\.fingerprint)).count == found.groups.count)
    let parked = "task held by task/" + StrippedLibraries.stream("AsyncStream")
    #expect(log.results.contains { $0.fingerprint.hasPrefix(parked) })
    let why = try program.memlab(["why", "\(program.id)", "Session"]).says("SessionCache.shared")
    #expect(why.stdout.hasPrefix("303 Session in \(file.lastPathComponent)\n"), "\(why.stdout)")
    let top = try program.memlab(["top", "\(program.id)"])
    let place = StrippedLibraries.stream("AsyncStream.Iterator.next()")
    #expect(top.stdout.contains("suspended in \(place)"), "\(top.stdout)")
    #expect(!top.stdout.contains("not as expected"), "\(top.stdout)")
    #expect(try program.do("environment") == ["none"])
    // What it was started with, the process that it forks has too; but not the agent's.
    let sockets = try program.do("sockets").compactMap { Int($0) }
    #expect(sockets.first == (sockets.last ?? 0) + 1, "\(sockets)")
    #expect(try program.exit(7) == 7)
    #expect(try program.memlab(["top", "\(program.id)"]).exitCode == 65)
  }

  @Test(
    "has a block for each frame where that is asked for",
    .disabled(if: RuntimeColumn.isBefore63), arguments: [[], ["--exact"]])
  func frames(options: [String]) throws {
    let program = try Watched(options)
    try program.do("subscribe 3")
    let before = try program.snapshot("before")
    try program.do("subscribe 50")
    let tasks = try #require(diff(program, before).group("task"))
    #expect(tasks.growth == 50)
    #expect(tasks.parts.first { $0.title == "Subscription" }?.blocks == 50)
    // A task has one slab or two, and some twenty frames.
    #expect((tasks.blocks > 50 * 16) == !options.isEmpty, "\(tasks.blocks)")
    #expect(try program.exit(0) == 0)
  }

  @Test("is read while its threads allocate, and goes on") func rush() throws {
    let program = try Watched()
    try program.do("rush 1")
    for number in 0..<5 {
      try program.memlab(["snapshot", "\(program.id)", program.folder.path + "/\(number)"]).exits(0)
      try program.do("pass 10")
    }
    #expect(try program.exit(0) == 0)
  }

  @Test("is read where the kernel refuses its threads to read another process's memory")
  func confined() throws {
    let program = try Watched()
    #expect(try program.do("confine") == ["refused"])
    try program.do("remember 1")
    let before = try program.snapshot("before")
    try program.do("remember 7")
    #expect(try diff(program, before).group("Session")?.growth == 7)
    #expect(try program.exit(0) == 0)
  }

  @Test("names the functions of a stripped program after its file before that")
  func symbols() throws {
    let stripped = try Scratch.folder().appending(path: "Stripped")
    try Data(contentsOf: Watched.program).withoutSymbols.write(to: stripped)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: stripped.path)
    let program = try Watched(["--symbols", Watched.program.path], program: stripped)
    try program.do("subscribe 3")
    try program.memlab(["top", "\(program.id)"]).says("    3  a task created in subscribe() at ")
    #expect(try program.exit(0) == 0)
  }

  @Test(
    "tells at its end what it keeps, and ends with its own code",
    arguments: [Watched.program, Watched.linkedProgram])
  func atExit(file: URL) throws {
    let errors = Pipe()
    let program = try Watched(["--at-exit"], program: file, errors: errors.fileHandleForWriting)
    try program.do("remember 20")
    #expect(try program.exit(3) == 3)
    let text = try errors.text()
    #expect(text.contains("SessionCache.sessions"), "\(text)")
  }
}

extension Data {
  /// A program's file without its table of symbols, of which `strip` leaves nothing either.
  fileprivate var withoutSymbols: Data {
    var copy = self
    // See https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html: kind 2 is the table, and a
    // section of kind 8 has no contents.
    for section in 0..<number(60, 2) {
      let kind = number(40, 8) + section * number(58, 2) + 4
      if number(kind, 4) == 2 { copy[kind] = 8 }
    }
    return copy
  }
}
