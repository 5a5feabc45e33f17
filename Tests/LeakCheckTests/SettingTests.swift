import Foundation
import TestSupport
import Testing

@Suite("Settings of a check", .needsHeap, .beginning("SettingFixtures")) struct SettingTests {
  private let file = Scratch.place().path
  private static let output = Fixture.run(of: "SettingFixtures")

  @Test(
    "a declared survivor is a warning with its reason", .needsWarnings,
    arguments: [
      ("declared()", "it lives as long as the app"),
      ("declared()", "its task holds it"),
      ("declaredByFunction()", "nobody answers in this test"),
    ])
  func declared(test: String, reason: String) async throws {
    let output = try await Self.output.value
    #expect(!output.failed.contains(test))
    let issues = output.issues(of: test)
    #expect(issues.contains { $0.hasPrefix("⚠︎") && $0.contains("as declared: \(reason)") })
  }

  @Test("what is not declared fails beside what is", .needsWarnings)
  func declaredInPart() async throws {
    let issues = try await Self.output.value.issues(of: "declaredInPart()")
    #expect(issues.map { $0.hasPrefix("⚠︎") } == [true, false])
  }

  @Test("a check inside a check reports its leak once") func nested() async throws {
    #expect(try await Self.output.value.issues(of: "nested()").count == 2)
  }

  @Test("a body that async throws is judged all the same") func throwing() async throws {
    #expect(try await Self.output.value.issues(of: "throwing()").count == 2)
  }

  @Test("a check of objects leaves its tasks to the check around it")
  func objectCheck() async throws {
    let issues = try await Self.output.value.issues(of: "tasksOfAnObjectCheck()")
    #expect(issues.count == 2)
    #expect(issues.contains { $0.contains("task \"forwarder\" has not finished") }, "\(issues)")
  }

  @Test("a cancelled test does not say that it waited") func cancelled() async throws {
    let issues = try await Self.output.value.issues(of: "cancelled()")
    #expect(issues.count == 1)
    #expect(issues.first?.contains("stopped waiting: the test was cancelled") == true, "\(issues)")
    #expect(!issues.contains { $0.contains("40.0 seconds") }, "\(issues)")
  }

  @Test("watch outside of a check says so") func watchOutside() async throws {
    let issues = try await Self.output.value.issues(of: "watchOutside()")
    #expect(issues.first?.contains("watch(_:) was called outside of a check.") == true)
    #expect(issues.first?.contains("an event loop calls belongs to none") == true)
  }

  @Test("a detached task that ends is clean in a whole-process check")
  func wholeProcess() async throws {
    #expect(try await Self.output.value.issues(of: "cleanInWholeProcess()") == [])
  }

  @Test("a detached task escapes, as documented") func detached() async throws {
    #expect(try await !Self.output.value.failed.contains("detachedEscapes()"))
  }

  @Test("leaks recorded in a baseline are warnings in the next run, and others still fail")
  func baseline() async throws {
    let fixtures = "SettingFixtures/(known|throwing)"
    #expect(
      try await run(fixtures, baseline: file, records: nil).failed == ["known()", "throwing()"])
    #expect(try await run(fixtures, baseline: file).failed == ["throwing()"])
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix(" task \"forwarder\" has not finished") == true)
    let again = try await run(fixtures, baseline: file, records: nil)
    #expect(again.failed == ["throwing()"])
    #expect(again.issues(of: "known()").allSatisfy { $0.hasPrefix("⚠︎") })
  }

  private func run(
    _ fixtures: String, baseline: String, records: String? = "1"
  ) async throws -> FixtureOutput {
    try await Fixture.run(
      fixtures, environment: ["LEAKCHECK_TEST_BASELINE": baseline, "LEAKCHECK_RECORD": records])
  }

  @Test("a baseline that an editor has touched is still understood, and added to at its end")
  func editedBaseline() async throws {
    let known = try await baseline(recordedInto: "")
    let lines = known.split(separator: "\n").map(String.init)
    try #require(lines.count == 2, "\(known)")
    let edited = try await baseline(
      recordedInto: "# known\n\n000000000000 something else\r\n" + lines[0])
    #expect(edited == "# known\n\n000000000000 something else\r\n\(lines[0])\n\(lines[1])\n")
    let text = lines.joined(separator: " # because\r\n")
    #expect(try await baseline(recordedInto: text) == text)
  }

  @Test("a line of a baseline without a fingerprint is named, and nothing is written")
  func wrongLine() async throws {
    let text = "000000000000 something else\n  Clock is still alive\n"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let output = try await run("SettingFixtures/known", baseline: file)
    #expect(output.failed == ["known()"])
    let words = "line 2, column 3: 'Clock' is no fingerprint, which has twelve hexadecimal digits"
    #expect(output.issues(of: "known()").allSatisfy { $0.contains(words) }, "\(output.text)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test("a baseline that cannot be read is said to be so, and is left alone")
  func unreadableBaseline() async throws {
    let folder = FileManager.default.temporaryDirectory.path
    for (path, recording, words) in [
      (folder, "1", "Is a directory"), (folder + "/mistyped", nil, "LEAKCHECK_RECORD=1 makes it"),
    ] {
      let output = try await run("SettingFixtures/known", baseline: path, records: recording)
      #expect(output.failed == ["known()"])
      let issues = output.issues(of: "known()")
      #expect(
        issues.allSatisfy { $0.contains("was not used: ") && $0.contains(words) }, "\(issues)")
    }
  }

  // What a file becomes when the leaks of `tasksOfABaseline()` are recorded.
  private func baseline(recordedInto text: String) async throws -> String {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let output = try await run("SettingFixtures/tasksOfABaseline", baseline: file)
    #expect(output.failed == [], "\(output.text)")
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  @Test("without the heap, tasks and objects are judged, and the failure says what was not read")
  func unreadable() async throws {
    let output = try await Fixture.run(
      "LeakingFixtures/(heldByGlobal|waitsForGlobal|sleepsForEver)",
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
    "what is older than the recording does not count as lost",
    arguments: ["olderObject", "olderHolder"])
  func older(test: String) async throws {
    try await Fixture.run(
      "RecordingFixtures/\(test)", environment: ["LEAKCHECK_RECORDING": "on-use"]
    ).expectPassed(1)
  }

  @Test("a process whose heap is not to be recorded never records it") func off() async throws {
    let output = try await Fixture.run(
      "RecordingFixtures/off", environment: ["LEAKCHECK_RECORDING": "off"])
    #expect(output.issues(of: "off()").count == 1, "\(output.text)")
  }
}
