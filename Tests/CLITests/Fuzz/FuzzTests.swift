import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

/// `make fuzz` sets `MEMLAB_FUZZ` to the number of command lines, `MEMLAB_FUZZ_SEED` to begin
/// elsewhere.
@Suite("Random command lines of the real program") struct FuzzTests {
  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
  private static let count = setting("MEMLAB_FUZZ") ?? (Slow.isOn ? 2_000 : 1_000)
  private static let seed = UInt64(setting("MEMLAB_FUZZ_SEED") ?? 5)
  private static let scenarios = Catalog.scenarios.map(\.id)

  private static func lines(_ count: Int, _ body: (RandomLine) throws -> Void) rethrows {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<count {
      try body(RandomLine(of: Memlab(.memlab).table, scenarios: scenarios, using: &generator))
    }
  }

  @Test("are understood, with values as declared, or explained in a few printable lines")
  func parser() throws {
    let parser = Memlab(.memlab).parser
    var understood = 0
    try Self.lines(Self.count) { line in
      do {
        guard case .command(let invocation) = try parser.parse(line.arguments) else { return }
        understood += 1
        try #require(Self.isSound(invocation), "\(line), seed \(Self.seed)")
      } catch let error as UsageError {
        try #require(error.isPrintable(lines: 6), "\(line), seed \(Self.seed)")
      }
    }
    // Neither outcome may have become rare, or this test would look at nothing.
    #expect(understood > Self.count / 20)
    #expect(understood < Self.count / 2)
  }

  @Test("never crash or hang the program, whose exit code is one of those that are declared")
  func program() throws {
    let parser = Memlab(.memlab).parser
    var codes: [Int32: Int] = [:]
    var left = max(min(100, Self.count / 20), Self.count / 50)
    try Self.lines(Self.count) { line in
      guard left > 0, Self.isShort(try? parser.parse(line.arguments)) else { return }
      left -= 1
      let code = try Self.run(line)
      codes[code, default: 0] += 1
      // 137 is a program that was killed because it hung, 128 and more any other signal.
      try #require(ExitCode.allCases.map(\.rawValue).contains(code), "\(line) ends with \(code)")
    }
    #expect(left == 0)
    #expect(codes[0] != nil && codes[64] != nil, "\(codes)")
  }

  /// Runs a line as somebody would who pastes it, in an empty folder, and for a minute at most.
  private static func run(_ line: RandomLine) throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let memlab = MemlabBinary.folder.appending(path: "memlab").path
    let script = """
      cd "$1"
      memlab() { exec timeout -s KILL 60 "$0" "$@"; }
      \(line)
      """
    return try Program(URL(filePath: "/bin/bash"))
      .run(["-c", script, memlab, folder.path], environment: MemlabBinary.neutral).exitCode
  }

  /// Whether a line is soon over: mistakes are, and what names a scenario. Other tests run the rest.
  private static func isShort(_ request: Request?) -> Bool {
    guard case .command(let invocation) = request else { return true }
    return !invocation.positionals.isEmpty || invocation.command == "list"
  }

  private static func isSound(_ invocation: Invocation) -> Bool {
    guard let command = Memlab(.memlab).table.command(named: invocation.command) else {
      return false
    }
    let argumentsAreSound =
      command.arguments.first?.values != .scenario
      || invocation.positionals.allSatisfy(scenarios.contains)
    return argumentsAreSound
      && command.options.filter { !$0.isFlag }.allSatisfy { option in
        invocation.values(option.name).allSatisfy { isSound($0, for: option.values) }
      }
  }

  private static func isSound(_ value: String, for rule: ValueRule) -> Bool {
    switch rule {
    case .text, .ending, .lesson, .file: !value.isEmpty
    case .schedules: SchedulePlan(value) != nil
    case .oneOf(let words): words.contains(value)
    case .integer(let range, let words):
      words.contains(value) || Int(value).map(range.contains) ?? false
    case .scenario: scenarios.contains(value)
    case .topic: Memlab(.memlab).table.command(named: value) != nil || scenarios.contains(value)
    case .numbered(let numbers, let words):
      (numbers + words).contains { $0 == value || $0 == "0\(value)" }
    }
  }
}
