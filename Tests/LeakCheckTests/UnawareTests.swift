import Foundation
import LeakCheck
import LeakCheckAll
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Tests that say nothing of leaks, with LEAKCHECK=all", .needsHeap) struct UnawareTests {
  private let file = Scratch.place().path
  private static let unaware = Task { try await judged("UnawareFixtures") }

  // The output of fixtures that LeakCheck judges, as it does all tests of the process.
  private static func judged(
    _ fixtures: String, library: String = "swift-testing", environment: [String: String?] = [:]
  ) async throws -> FixtureOutput {
    try await Fixture.run(
      fixtures, library: library, environment: ["LEAKCHECK": "all"].merging(environment) { $1 })
  }

  private static let leaking: Set = [
    "ring()", "named()", "taskThatNeverEnds()", "detachedTaskThatNeverEnds()", "one(number:)",
    "two(number:other:)", "zipped(number:other:)", "pairs(number:name:)",
    "dictionary(number:name:)", "closureThatCallsItself()", "workItemThatNobodyRuns()",
    "workItemThatWasNoted()",
  ]

  @Test("fail when they leak, however they are declared, and no other does")
  func verdicts() async throws {
    let output = try await Self.unaware.value
    let text = output.text.replacing("\"with a name, and a trait\"", with: "named()")
    #expect(FixtureOutput(ProgramResult(stdout: text)).failed == Self.leaking, "\(output.text)")
    #expect(output.text.contains(/(?:✘|⚠︎) Test \S+ recorded/))
    output.expect(
      "LeakCheck: 12 of 15 tests leak, in 5 ways\n", "Clock is still alive\n", "7 times, in ",
      "_block → closure #1 in workItemThatNobodyRuns()")
  }

  @Test("are summed up by holder where several ways to leak have the same")
  func holders() async throws {
    let output = try await Self.judged("AlikeFixtures")
    output.expect("LeakCheck: 2 of 2 tests leak, in 3 ways\n", "  2 times, in ")
    #expect(output.issues(of: "byPartsOfOneProperty()").map { $0.contains(", 2 times") } == [true])
    let holder = /By holder:\n  2 in .*\n  2 in 2 ways: suspended in .*, created in alike\(\)/
    #expect(output.text.contains(holder), "\(output.text)")
  }

  @Test("are not blamed for what the one before has left behind, which goes on")
  func goingOn() async throws {
    let output = try await Self.judged("GoingOnFixtures")
    #expect(output.failed == ["first()"], "\(output.text)")
    output.expect("tasks go on: each starts the next one, and ends")
  }

  @Test("are left alone without it") func off() async throws {
    let output = try await Fixture.run("UnawareFixtures")
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(!output.text.contains("LeakCheck:"), "\(output.text)")
  }

  @Test("fail when the heap cannot be read, for then nobody knows") func unread() async throws {
    let output = try await Self.judged(
      "UnawareFixtures/(ring|clean)", environment: ["MEMLAB_ABI_MUTANT": "object.header"])
    #expect(output.exitCode == 1 && output.failed == ["ring()", "clean()"], "\(output.text)")
    output.expect(
      "LeakCheck: none of 2 tests could be judged\n",
      "because the heap was not read: the heap trace does not know this")
  }

  @Test("fail the run of XCTest, which is over when they are judged") func xctest() async throws {
    let output = try await Self.judged("UnawareXCTests", library: "xctest")
    #expect(output.exitCode == 1, "\(output.text)")
    output.expect(
      "LeakCheck: 2 of 4 tests leak, in 2 ways\n",
      "UnawareXCTests.testRing: error: Clock is still alive",
      "UnawareXCTests.testTask: error: task \"parked\" has not finished")
  }

  // What waits has tasks, and each look reads them all.
  @Test("begin when the one before has ended") func oneAfterAnother() async throws {
    let output = try await Self.unaware.value
    let lines = output.text.matches(
      of: /Test (?:\S+|".*") (?:with \d+ test cases )?(started|passed after|failed after)/)
    // The first line is that of the run.
    let began = lines.dropFirst().map { $0.1 == "started" }
    #expect(began.count == 30, "\(output.text)")
    #expect(began == (0..<30).map { $0.isMultiple(of: 2) }, "\(output.text)")
  }

  @Suite struct Inner {
    @Test("are called by their module, all their suites and their function") func name() throws {
      let test = try #require(Test.current)
      #expect(AllTestsTrait.name(of: test) == "LeakCheckTests.UnawareTests.Inner.name()")
    }
  }

  // The time limit of a test begins with its cases.
  @Test("wait for their turn before they begin, and each case for its own") func turns() throws {
    let test = try #require(Test.current)
    #expect(AllTestsTrait().scopeProvider(for: test, testCase: nil) != nil)
    #expect(AllTestsTrait().scopeProvider(for: test, testCase: Test.Case.current) != nil)
  }

  @Test("are looked at again while another thread runs") func spinning() async throws {
    let output = try await Self.judged("SpinningFixtures/spinsForAWhile")
    #expect(output.failed == ["spinsForAWhile()"], "\(output.text)")
    output.expect("Clock is still alive")
  }

  @Test("are not given up when another thread runs only while rings are looked for")
  func comingAndGoing() async throws {
    let output = try await Self.judged("SpinningFixtures/comesAndGoes")
    output.expect("  \(SpinningFixtures.comingAndGoing) times, in")
    #expect(!output.text.contains("not known what"), "\(output.text)")
  }

  @Test("are reported when an address leads to a ring, and not when somebody owns it")
  func pointedAt() async throws {
    let output = try await Self.judged("PointedFixtures")
    #expect(output.failed == ["besideAnother()", "ownedByNobody()"], "\(output.text)")
    let both = output.issues(of: "besideAnother()").joined()
    #expect(both.contains("Clock is still alive, 2 times"), "\(both)")
    let issue = output.issues(of: "ownedByNobody()").joined()
    #expect(issue.contains("Clock is still alive") && !issue.contains("certain"), "\(issue)")
    #expect(output.text.contains(/looks: [2-6]\n/), "\(output.text)")
  }

  // To ask whether anything leads to a ring takes a look through the heap.
  @Test("are judged in one go when they leave thousands of rings behind") func many() async throws {
    let output = try await Self.judged("ManyFixtures")
    let issues = output.issues(of: "many()")
    #expect(issues.count == 1)
    let times = issues.first?.firstMatch(of: /Clock is still alive, (\d+) times\n/)
    let count = times.flatMap { Int($0.1) }
    // On a busy machine, words that earlier looks have left in memory stand for the owners of a few.
    let unowned = ManyFixtures.count / 100 * 99
    #expect(count.map((unowned - unowned / 396...unowned).contains) == true, "\(output.text)")
  }

  @Test("are judged when another thread runs all the time, which is stopped and asked")
  func stopped() async throws {
    let output = try await Fixture.run("SpinningFixtures/spinsAllTheTime")
    let issue = output.issues(of: "spinsAllTheTime()").joined()
    #expect(issue.contains("Clock is still alive") && issue.contains("certain: "), "\(output.text)")
  }

  @Test("are not said to be clean when another thread runs all the time that cannot be stopped")
  func unclear() async throws {
    let library = try Clang.library(
      of: Repository.url("Tests/Fixtures/NoTracing/no_tracing.c"),
      at: Scratch.folder().appending(path: "no_tracing.so"))
    let output = try await Fixture.run(
      "SpinningFixtures/spinsAllTheTime", environment: ["LD_PRELOAD": library])
    #expect(output.failed == ["spinsAllTheTime()"], "\(output.text)")
    output.expect("not known what this test leaves behind: there are objects that")
  }

  @Test("have a page, a graph and the heap for who wants to see more", .needsWarnings)
  func attachments() async throws {
    let folder = Scratch.place().path
    for setting in [folder, "off"] {
      let output = try await Self.judged(
        "UnawareFixtures/(ring|clean|taskThatNever)",
        environment: ["LEAKCHECK_ATTACHMENTS": setting])
      #expect(output.failed.count == 2 && !output.text.contains("Attached"), "\(output.text)")
    }
    #expect(!FileManager.default.fileExists(atPath: "off"))
    try? FileManager.default.removeItem(atPath: "off")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names.count == 6, "\(names)")
    func text(_ kind: String) throws -> String {
      let name = try #require(names.first { $0.hasPrefix("Clock-") && $0.hasSuffix(kind) })
      return try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    let page = try text(".html")
    #expect(page.contains(" · LeakCheck</title>"))
    #expect(page.contains("↓ partner   the edge to cut</p><b>Clock, the same object as above</b>"))
    #expect(page.contains("certain: nothing that lives can reach it any more"))
    #expect(try text(".dot").contains("n0 -> n0 [label=\"partner\", color=red]"))
    let heaps = names.filter { $0.hasSuffix(".memlab") }.map { "\(folder)/\($0)" }
    let heap = try #require(heaps.first)
    try MemlabBinary.run(["diff"] + heaps).exits(0)
    try MemlabBinary.run(["why", heap, "Clock"]).exits(0).says(
      "objects that hold each other, and that nothing else holds: Clock")
    let mode = try FileManager.default.attributesOfItem(atPath: heap)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    try FileManager.default.createDirectory(
      atPath: folder + "/tests", withIntermediateDirectories: true)
    let output = try await Fixture.run(
      "UnawareFixtures/ring", environment: ["LEAKCHECK": "all"],
      arguments: ["--attachments-path", folder + "/tests"])
    #expect(output.text.matches(of: /Attached 'Clock-[0-9a-f]{12}\.html'/).count == 1)
  }

  @Test("leave a summary of what was found when the run crashes", arguments: ["text", "json"])
  func crashed(format: String) async throws {
    let written = file + "-swift-testing.out"
    let output = try await Self.judged(
      "CrashingFixtures",
      environment: [
        "LEAKCHECK_FORMAT": format, "LEAKCHECK_OUTPUT": file + ".out",
        "SWIFT_BACKTRACE": "enable=no",
      ])
    #expect(output.exitCode != 0 && !output.text.contains("Test run with"), "\(output.text)")
    let text = try String(contentsOfFile: written, encoding: .utf8)
    #expect(text.contains("Clock is still alive"))
    if format == "json" {
      let summary = try JSONDecoder().decode(Summary.self, from: Data(text.utf8))
      #expect(summary.isWhole == false && summary.tests == 1)
    } else {
      #expect(text.contains("the run had not ended when this was written"), "\(text)")
    }
  }

  @Test("are known the next time, when their leaks are recorded") func baseline() async throws {
    let baseline: [String: String?] = ["LEAKCHECK_BASELINE": file]
    for records in ["1", nil] {
      let settings = baseline.merging(["LEAKCHECK_RECORD": records]) { $1 }
      let output = try await Self.judged("UnawareFixtures", environment: settings)
      #expect(output.exitCode == 0 && !output.text.contains("is gone"), "\(output.text)")
      output.expect("12 of 15 tests leak, in 5 ways, 5 of them known\n")
    }
    // One is given a reason; another one's test does not leave it any more; of a test that does not run,
    // nothing is known.
    var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(
      String.init)
    #expect(lines.count == 5 && lines.allSatisfy { $0.contains(", in LeakCheckTests.") })
    lines[0] += " # the login page keeps it"
    lines.insert(
      "00000000000a Old is still alive, in LeakCheckTests.UnawareFixtures.clean()", at: 1)
    lines.append("00000000000b Old is still alive, in LeakCheckTests.UnawareFixtures.other()")
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let output = try await Self.judged("UnawareFixtures", environment: baseline)
    #expect(output.exitCode == 1 && output.failed == [], "\(output.text)")
    let name = URL(filePath: file).lastPathComponent
    output.expect(
      ", as it was before (\(name): the login page keeps it)",
      "\n\(name):2: Old is still alive, in LeakCheckTests.UnawareFixtures.clean(), is gone: remove the line\n"
    )
    #expect(!output.text.contains("00000000000b") && !output.text.contains(":7:"))
  }

  @Test("are summed up for programs", arguments: ["json", "junit", "github", "sarif"])
  func formats(format: String) async throws {
    let output = try await Self.judged(
      "UnawareFixtures/(ring|clean|taskThat)",
      environment: ["LEAKCHECK_FORMAT": format, "LEAKCHECK_OUTPUT": file + ".out"])
    let text = (try? String(contentsOfFile: file + "-swift-testing.out", encoding: .utf8)) ?? ""
    #expect(!text.isEmpty && !output.text.contains("LeakCheck:"), "\(output.text)")
    switch format {
    case "json":
      let summary = try JSONDecoder().decode(Summary.self, from: Data(text.utf8))
      #expect(summary.schema == "leakcheck.summary/1")
      #expect(summary.tests == 4 && summary.leaking == 2 && summary.isWhole)
      #expect([summary.leaks.map(\.count), summary.holders.map(\.count)] == [[1, 1], [1, 1]])
      #expect(summary.leaks.allSatisfy { $0.isNew && $0.fingerprint.count == 12 })
      #expect(Set(summary.leaks.flatMap(\.tests)).count == 2)
    case "junit":
      #expect(XMLParser(data: Data(text.utf8)).parse(), "\(text)")
      #expect(text.contains("tests=\"2\" failures=\"2\" skipped=\"0\""), "\(text)")
    case "sarif":
      // The line of the code that keeps it, or else that of the test.
      let uri = "\"uri\" : \"Tests/LeakCheckTests/Fixtures/"
      #expect(text.contains(uri + "Subjects.swift\""), "\(text)")
      #expect(text.contains(uri + "UnawareFixtures.swift\""), "\(text)")
      #expect(text.matches(of: /"memlab\/v1" : "[0-9a-f]{12}"/).count == 2, "\(text)")
    default:
      let lines = text.split(separator: "\n")
      #expect(lines.count == 3, "\(text)")
      let place = "::error file=Tests/LeakCheckTests/Fixtures/"
      let isWhole = lines.prefix(2).map { $0.hasPrefix(place) && $0.contains(/,line=\d+,title=/) }
      #expect(isWhole == [true, true], "\(text)")
      #expect(text.contains("%0A"))
    }
  }

  @Test(
    "are shown by names that nobody obeys",
    arguments: Slow.all(["text", "json", "junit", "sarif", "github"], orEach: 2),
    ["swift-testing", "xctest"])
  func hostile(format: String, library: String) async throws {
    let suite = library == "xctest" ? "HostileXCTests" : "HostileFixtures"
    let written = "\(file)-\(library).out"
    // What has the file already keeps it.
    try Data("old".utf8).write(to: URL(filePath: written))
    try FileManager.default.linkItem(atPath: written, toPath: file)
    let output = try await Self.judged(
      suite, library: library,
      environment: ["LEAKCHECK_FORMAT": format, "LEAKCHECK_OUTPUT": file + ".out"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    let text = try String(contentsOfFile: written, encoding: .utf8)
    #expect(Hostile.obeyed(in: output.text + text) == [], "\(output.text)\(text)")
    output.expect("task \"x\\u{1B}]0;title\\u{7}")
    #expect(text.contains("]0;title"))
    if library != "xctest" { #expect(text.contains("Turned")) }
    if format == "junit" { #expect(XMLParser(data: Data(text.utf8)).parse(), "\(text)") }
    if format == "github" {
      #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("::") }, "\(text)")
      #expect(
        text.matches(of: /::error (file=[^,]*,line=\d+,)?title=/).count
          == (library == "xctest" ? 1 : 2))
    }
  }

  @Test("are said not to be judged, where this version of Swift declares them otherwise")
  func unknown() {
    #expect(
      SummaryAtExit.remark(hasTests: true, reached: 0)?.hasPrefix("LeakCheck: no test") == true)
    #expect(SummaryAtExit.remark(hasTests: true, reached: 3) == nil)
    #expect(SummaryAtExit.remark(hasTests: false, reached: 0) == nil)
  }

  private struct Summary: Codable {
    struct Leak: Codable {
      let fingerprint: String
      let isNew: Bool
      let count: Int
      let tests: [String]
    }

    struct Holder: Codable { let count: Int }

    let schema: String
    let isWhole: Bool
    let tests, leaking: Int
    let leaks: [Leak]
    let holders: [Holder]
  }
}
