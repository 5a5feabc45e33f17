import Foundation
import MemlabCLI
import MemlabWatch
import TestSupport
import Testing

@Suite("A program that links the agent", .needsHeap, .serialized) struct LinkedAgentTests {
  private func sockets(_ program: Watched) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
  }

  private func threads(_ program: Watched) throws -> [String] {
    let tasks = "/proc/\(program.id)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).map {
      try String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8)
        .trimmingCharacters(in: .newlines)
    }
  }

  @Test(
    "has neither a thread nor a socket of memlab's where nobody asks for a record",
    arguments: [[:], ["MEMLAB_AGENT": "0"], ["MEMLAB_AGENT": ""]])
  func dormant(environment: [String: String]) throws {
    let program = try Watched(nil, program: Watched.linkedProgram, environment: environment)
    try program.do("remember 3")
    #expect(try sockets(program) == [])
    #expect(try !threads(program).contains("memlab-agent"))
    #expect(try program.memlab(["top", "\(program.id)"]).exitCode == 65)
    #expect(try program.exit(5) == 5)
  }

  @Test("is watched without preloading: counts, holders, where tasks were created")
  func watched() throws {
    let program = try Watched(program: Watched.linkedProgram)
    for request in ["remember 1", "subscribe 1", "pass 1"] { try program.do(request) }
    let before = try program.snapshot("before")
    for request in ["remember 30", "subscribe 5", "pass 10"] { try program.do(request) }
    let place = StrippedLibraries.stream("AsyncStream.Iterator.next()")
    let diff = try program.memlab(["diff", before]).says(
      "+ 30 Session,", "global variable SessionCache.shared", "+ 5 task,",
      "a task created in subscribe() at WatchedProgram.swift:", "suspended in \(place)")
    #expect(!diff.stdout.contains("not as expected"), "\(diff.stdout)")
    #expect(try !program.maps.contains { $0.contains("libmemlab") })
    #expect(try program.exit(7) == 7)
  }

  @Test("is watched without memlab where MEMLAB_AGENT is set") func asked() throws {
    let program = try Watched(
      nil, program: Watched.linkedProgram,
      environment: ["MEMLAB_AGENT": "1", "LD_PRELOAD": "libm.so.6"])
    #expect(try program.do("environment").contains("libm.so.6"), "what the user preloads stays")
    try program.do("remember 3")
    #expect(try sockets(program) == ["\(program.id)"])
    let why = try program.memlab(["why", "\(program.id)", "Session"])
    #expect(why.stdout.hasPrefix("3 Session in "), "\(why.stdout) \(why.stderr)")
    // It has answered, so it has its name.
    #expect(try threads(program).contains("memlab-agent"))
    #expect(try program.exit(5) == 5)
  }

  // So does jemalloc: its `new` takes memory of its own, and one of its operators `delete` calls `free`.
  @Test("is watched where the library of another allocator has its own operators of C++")
  func operators() throws {
    // With the runtime as a library, nothing of the program's file is asked for them: `make linked`.
    guard ProcessInfo.processInfo.environment["MEMLAB_LINKED_PROGRAM"] != nil else { return }
    let source = Repository.url("Tests/Fixtures/OwnOperators/operators.c")
    let library = try Clang.library(of: source, at: Scratch.place(".so"))
    let program = try Watched(
      nil, program: Watched.linkedProgram,
      environment: ["MEMLAB_AGENT": "1", "LD_PRELOAD": library])
    for request in ["remember 3", "subscribe 5"] { try program.do(request) }
    let why = try program.memlab(["why", "\(program.id)", "Session"])
    #expect(why.stdout.hasPrefix("3 Session in "), "\(why.stdout) \(why.stderr)")
    #expect(try program.exit(5) == 5)
  }

  @Test("runs unwatched, with a sentence, where it has no place for its socket")
  func homeless() throws {
    let errors = Pipe()
    let program = try Watched(
      nil, program: Watched.linkedProgram,
      environment: ["MEMLAB_DIRECTORY": "/proc/nowhere"], errors: errors.fileHandleForWriting)
    try program.do("remember 3")
    #expect(try program.exit(5) == 5)
    let text = try errors.text()
    #expect(text.hasPrefix("memlab: not watched: "), "\(text)")
  }

  @Test("is known by its file, whatever its allocator") func file() throws {
    let linked = try ProgramFile(path: Watched.linkedProgram.path)
    #expect(linked.linksAgent)
    #expect(linked.obstacle(machine: linked.machine) == nil)
    #expect(try !ProgramFile(path: Watched.program.path).linksAgent)
  }
}
