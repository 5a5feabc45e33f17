import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("memlab hunt", .needsHeap, .needsVirtualTime) struct HuntTests {
  private struct Hunt: Decodable {
    struct Leak: Decodable {
      let ending, replay, then: String
      let left, ways: [String]
      let known: String?
    }

    struct Found: Decodable {
      let scenario: String
      let tried, clean, declared, unmeasured: Int
      let gone: [String]
      let leaks: [Leak]
    }

    let schema: String
    let scenarios: [Found]
  }

  private static func hunt(_ words: [String]) throws -> Hunt {
    try MemlabBinary.run(["hunt"] + words + ["--format", "json"]).exits(0).stdout.decoded()
  }

  @Test("finds nothing in a cycle that its declared endings do not leave") func cycle() throws {
    let hunt = try Self.hunt(["retain-cycle"])
    #expect(hunt.schema == "memlab.hunt/1")
    let found = try #require(hunt.scenarios.first)
    #expect(found.tried > 10 && found.clean > 0 && found.declared > 0)
    #expect(found.clean + found.declared == found.tried)
    #expect(found.leaks.isEmpty)
  }

  @Test("finds consumers that are left alone, and each line that it shows leaves the same again")
  func broadcast() throws {
    let found = try #require(Self.hunt(["broadcast-stream"]).scenarios.first)
    #expect(found.leaks.contains { $0.then == "task B is cancelled" && $0.ending == "demo" })
    #expect(found.leaks.contains { $0.ending == "slow" })
    for leak in found.leaks {
      #expect(leak.known != nil)
      let run = try MemlabBinary.run(
        ["hunt", "broadcast-stream", "--ending", leak.ending, "--replay", leak.replay]
      ).exits(1)
      let (name, holder) = (
        leak.left[0].prefix { $0 != "," }, leak.left[0].split(separator: " ").last
      )
      if leak.left[0].contains("held by") {
        let title = try Regex(
          "why (\\d+ )?\(NSRegularExpression.escapedPattern(for: String(name))) ")
        #expect(run.stdout.contains(title), "\(leak.left)\n\(run.stdout)")
        let field = holder?.split(separator: ".").last
        #expect(field.map { run.stdout.contains($0) } == true, "\(leak.left)\n\(run.stdout)")
      }
      #expect(leak.then == "the steps end" || run.stdout.contains(leak.then))
      #expect(run.stdout.contains(" alive"))
    }
  }

  @Test("fails on a leak that only an undeclared cancellation shows, in a program of one's own")
  func own() throws {
    let program = Program(MemlabBinary.folder.appending(path: "HardCases"))
    let words = ["early", "hunt", "cancelled-early"]
    let hunt = try program.run(words + ["--format", "json"]).exits(1).stdout.decoded(as: Hunt.self)
    let found = try #require(hunt.scenarios.first)
    let leak = try #require(found.leaks.first)
    #expect(found.leaks.count == 1)
    #expect(leak.replay == "1:cancel+stop:load" && leak.known == nil)
    #expect(leak.left == ["Loader, held by global EarlyRegistry.entries"])
    #expect(found.gone == ["once 1:stop"])
    let text = try program.run(words).exits(1).stdout
    #expect(text.contains("LEAKS after step 1 of 'once', a load begins: task load is cancelled"))
    #expect(text.contains("'once 1:stop' is known, and leaves nothing else any more: remove it"))
    let replayed = try program.run(words + ["--ending", "once", "--replay", leak.replay]).exits(1)
    #expect(replayed.stdout.contains("task load is cancelled"))
    #expect(!replayed.stdout.contains("the answer comes"), "\(replayed.stdout)")
  }

  @Test(
    "refuses a way that cannot be read, or has no such step, task or variable",
    arguments: [
      "", "0:stop", "2", "2:cancel", "2:stop:reader", "2:burn:reader", "x:cancel:reader",
      "2:cancel+go:reader", "9:stop", "1:cancel:moon", "1:drop:moon",
    ])
  func unfit(way: String) throws {
    try MemlabBinary.run(["hunt", "strong-self", "--ending", "drop", "--replay", way]).exits(64)
      .saysNothing().complains("Error: ")
  }

  @Test("says of a declared ending that crashes that it cannot be varied") func crash() throws {
    let environment: [String: String?] = ["SWIFT_BACKTRACE": "enable=no"]
    try MemlabBinary.run(["crashing", "hunt"], of: "HardCases", environment: environment).exits(70)
      .complains("Error: ", "has crashed")
  }

  @Test("finds nothing in the catalog that is not known", .needsTime) func catalog() throws {
    let hunt = try Self.hunt([])
    #expect(hunt.scenarios.count > 50)
    for found in hunt.scenarios {
      #expect(found.gone.isEmpty)
      for leak in found.leaks { #expect(leak.known != nil, "\(found.scenario) \(leak.ways)") }
    }
  }

  @Test("comes after a check that asks for it, and decides with it") func afterCheck() throws {
    let words = ["check", "retain-cycle", "--hunt"]
    try MemlabBinary.run(words).exits(0).says("2 endings: 2 as declared", "retain-cycle: of ")
    let own = ["early", "check", "cancelled-early", "--hunt"]
    try MemlabBinary.run(own, of: "HardCases").exits(1).says("LEAKS after step 1 of 'once'")
    try MemlabBinary.run(words + ["--format", "json"]).exits(64)
      .complains("--hunt and --format cannot be used together.")
    let replay = ["hunt", "strong-self", "--ending", "drop", "--replay", "1:stop"]
    try MemlabBinary.run(replay + ["--format", "json"]).exits(64).complains("reports as text.")
  }

  @Test("reads and writes each way as the same text") func texts() {
    for text in ["1:stop", "2:cancel:a b", "3:cancel+stop:reader#2", "12:drop:x:y"] {
      #expect(Variation(text)?.text == text)
    }
  }
}
