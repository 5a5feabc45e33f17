import Foundation
import HeapGraph
import Testing

@Suite("Settings of a check", .enabled(if: HeapRecording.isAvailable)) struct SettingTests {
  private static let output = Result { try Fixture.run("LeakCheckTests.SettingFixtures") }

  @Test(
    "a declared survivor is a warning with its reason",
    arguments: [
      ("declared()", "it lives as long as the app"),
      ("declared()", "its task holds it"),
      ("declaredByFunction()", "nobody answers in this test"),
    ]) func declared(test: String, reason: String) throws
  {
    let output = try Self.output.get()
    #expect(!output.failed.contains(test))
    let issues = output.issues(of: test)
    #expect(issues.contains { $0.hasPrefix("⚠︎") && $0.contains("as declared: \(reason)") })
  }

  @Test("what is not declared fails beside what is") func declaredInPart() throws {
    let issues = try Self.output.get().issues(of: "declaredInPart()")
    #expect(issues.map { $0.hasPrefix("⚠︎") } == [true, false])
  }

  @Test("a check inside a check reports its leak once") func nested() throws {
    #expect(try Self.output.get().issues(of: "nested()").count == 2)
  }

  @Test("a body that throws is judged all the same") func throwing() throws {
    #expect(try Self.output.get().issues(of: "throwing()").count == 2)
  }

  @Test("a check of objects leaves its tasks to the check around it") func objectCheck() throws {
    let issues = try Self.output.get().issues(of: "tasksOfAnObjectCheck()")
    #expect(issues.count == 2)
    #expect(issues.contains { $0.contains("task \"forwarder\" has not finished") }, "\(issues)")
  }

  @Test("a cancelled test does not say that it waited") func cancelled() throws {
    let issues = try Self.output.get().issues(of: "cancelled()")
    #expect(issues.count == 1)
    #expect(issues.first?.contains("stopped waiting: the test was cancelled") == true, "\(issues)")
    #expect(!issues.contains { $0.contains("40.0 seconds") }, "\(issues)")
  }

  @Test("watch outside of a check says so") func watchOutside() throws {
    let issues = try Self.output.get().issues(of: "watchOutside()")
    #expect(issues.first?.contains("watch(_:) was called outside of a check.") == true)
  }

  @Test("a detached task that ends is clean in a whole-process check") func wholeProcess() throws {
    #expect(try Self.output.get().issues(of: "cleanInWholeProcess()") == [])
  }

  @Test("a detached task escapes, as documented") func detached() throws {
    #expect(try !Self.output.get().failed.contains("detachedEscapes()"))
  }

  @Test("leaks recorded in a baseline are warnings in the next run, and others still fail")
  func baseline() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    func run(recording: Bool) throws -> FixtureOutput {
      try Fixture.run(
        "LeakCheckTests.SettingFixtures/(known|throwing)",
        environment: [
          "LEAKCHECK_TEST_BASELINE": file, "LEAKCHECK_RECORD": recording ? "1" : nil,
        ])
    }
    #expect(try run(recording: false).failed == ["known()", "throwing()"])
    #expect(try run(recording: true).failed == ["throwing()"])
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix(" task \"forwarder\" has not finished") == true)
    let again = try run(recording: false)
    #expect(again.failed == ["throwing()"])
    #expect(again.issues(of: "known()").allSatisfy { $0.hasPrefix("⚠︎") })
  }

  @Test("without the heap, tasks and objects are judged, and the failure says what was not read")
  func unreadable() throws {
    let output = try Fixture.run(
      "LeakCheckTests.LeakingFixtures/(heldByGlobal|waitsForGlobal|sleepsForEver)",
      environment: ["LEAKCHECK_RECORDING": "off"])
    #expect(output.failed == ["heldByGlobal()", "waitsForGlobal()", "sleepsForEver()"])
    let issues = output.issues(of: "waitsForGlobal()")
    #expect(issues.contains { $0.contains("at least one task has not finished") }, "\(issues)")
    #expect(issues.contains { $0.contains("Clock is still alive") })
    for issue in issues {
      #expect(issue.contains("the heap was not read: the heap is not being recorded"))
    }
  }

  @Test(
    "what is older than the recording is not taken for lost",
    arguments: ["olderObject", "olderHolder"]) func older(test: String) throws
  {
    let output = try Fixture.run(
      "LeakCheckTests.RecordingFixtures/\(test)", environment: ["LEAKCHECK_RECORDING": "on-use"])
    #expect(output.exitCode == 0, "\(output.text)")
    #expect(output.text.contains("with 1 test in 1 suite passed"), "\(output.text)")
  }

  @Test("a process whose heap is not to be recorded never records it") func off() throws {
    let output = try Fixture.run(
      "LeakCheckTests.RecordingFixtures/off", environment: ["LEAKCHECK_RECORDING": "off"])
    #expect(output.issues(of: "off()").count == 1, "\(output.text)")
  }
}
