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
  private static let count = Crafted.setting("MEMLAB_FUZZ") ?? (Slow.isOn ? 2_000 : 500)
  private static let seed = UInt64(Crafted.setting("MEMLAB_FUZZ_SEED") ?? 5)
  private static let scenarios = Catalog.scenarios.map(\.id)
  private static let table = Commands.table(of: .memlab)

  private static func lines(_ count: Int, _ body: (RandomLine) throws -> Void) rethrows {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<count { try body(RandomLine(of: table, scenarios: scenarios, using: &generator)) }
  }

  @Test("are understood, with values as declared, or explained in a few printable lines")
  func parser() throws {
    let parser = Memlab(.memlab).parser()
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
    let parser = Memlab(.memlab).parser()
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
    let folder = try Scratch.folder()
    let script = """
      limit=$(command -v timeout > /dev/null && echo timeout -s KILL 60)
      memlab() { exec $limit "$0" "$@"; }
      \(line)
      """
    return try MemlabBinary.runInShell(script, in: folder.path).exitCode
  }

  /// Whether a line is soon over: mistakes are, and what names a scenario. Other tests run the rest.
  private static func isShort(_ request: Request?) -> Bool {
    guard case .command(let invocation) = request else { return true }
    return !invocation.positionals.isEmpty || invocation.command == "list"
  }

  private static func isSound(_ invocation: Invocation) -> Bool {
    guard let command = table.command(named: invocation.command) else { return false }
    // What the last argument takes, all that follow take, too.
    let rules = command.arguments.map(\.values)
    let argumentsAreSound = invocation.positionals.enumerated().allSatisfy { place, word in
      rules[min(place, rules.count - 1)] != .scenario || scenarios.contains(word)
    }
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
    case .integer(let range): Int(value).map(range.contains) ?? false
    case .scenario: scenarios.contains(value)
    case .topic: table.command(named: value) != nil || scenarios.contains(value)
    case .numbered(let numbers, let words):
      (numbers + words).contains { $0 == value || $0 == "0\(value)" }
    }
  }
}

/// A command line made by chance from what a table accepts, from junk, and from both.
struct RandomLine: CustomStringConvertible {
  /// The words as bytes, not all of them text.
  let words: [[UInt8]]

  /// The words as a program finds them in `CommandLine.arguments`.
  var arguments: [String] { words.map { String(decoding: $0, as: UTF8.self) } }

  /// The line to be pasted into bash or zsh.
  var description: String { (["memlab"] + words.map(Self.quoted)).joined(separator: " ") }

  /// Makes a line.
  ///
  /// - Parameters:
  ///   - table: What is accepted.
  ///   - scenarios: The ids of all scenarios.
  init(
    of table: CommandTable, scenarios: [String], using generator: inout some RandomNumberGenerator
  ) {
    let command = table.commands.randomElement(using: &generator)!
    var words = Bool.random(using: &generator) ? [Array(command.name.utf8)] : []
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      words += Self.words(of: command, scenarios, using: &generator)
    }
    self.words = words
  }

  private static func words(
    of command: CommandSpec, _ scenarios: [String],
    using generator: inout some RandomNumberGenerator
  ) -> [[UInt8]] {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...3: return [Array(scenarios.randomElement(using: &generator)!.utf8)]
    case 4...6: return option(of: command, using: &generator)
    case 7...8: return [Junk.word(using: &generator)]
    default: return [Array("-".utf8) + Junk.word(using: &generator)]
    }
  }

  private static func option(
    of command: CommandSpec, using generator: inout some RandomNumberGenerator
  ) -> [[UInt8]] {
    let option = command.allOptions.randomElement(using: &generator)!
    let name = Array("--\(option.name)".utf8)
    if option.isFlag { return [name] }
    let isJunk = Int.random(in: 0..<6, using: &generator) == 0
    let known = option.values.listedValues + ["1", "2", "12", "drop", "finish", "cancel"]
    let value =
      isJunk ? Junk.word(using: &generator) : Array(known.randomElement(using: &generator)!.utf8)
    return Bool.random(using: &generator) ? [name, value] : [name + Array("=".utf8) + value]
  }

  // Printable ASCII stands for itself, all other bytes as $'\xff'.
  private static func quoted(_ word: [UInt8]) -> String {
    let harmless = word.allSatisfy { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.isASCII
        && (scalar.properties.isAlphabetic || "-=0123456789".contains(Character(scalar)))
    }
    if harmless, !word.isEmpty { return String(decoding: word, as: UTF8.self) }
    return "$'"
      + word.map { "\\x" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
  }
}

/// Words that nobody means.
enum Junk {
  /// A word without the byte 0, which no argument of a program can have.
  static func word(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return []
    case 1:
      return (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        UInt8.random(in: 1...255, using: &generator)
      }
    case 2: return Array(repeating: UInt8.random(in: 1...255, using: &generator), count: 5_000)
    case 3: return Array(scalars(1...8, using: &generator).utf8)
    default: return Array(known.randomElement(using: &generator)!.utf8)
    }
  }

  private static let known = [
    "--", "-", "=", "--=", "---", "-=x", "--ending=", "\u{1B}[2J", "\u{301}", "\u{202E}", "\r\n",
    "-3", "0", "99999999999999999999", "0x10", "１２", "strong-slef", "$(true)", "'", "%s%n",
  ]

  /// Characters at random, with the numbers from the first one on.
  static func scalars(
    _ count: ClosedRange<Int>, from first: UInt32 = 1,
    using generator: inout some RandomNumberGenerator
  ) -> String {
    let scalars = (0..<Int.random(in: count, using: &generator)).map { _ in
      Unicode.Scalar(UInt32.random(in: first...0x10FFFF, using: &generator)) ?? "\u{7F}"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

@Suite("Random command lines") struct RandomCommandLineTests {
  #if DEBUG
    static let count = Slow.isOn ? 5_000 : 2_000
  #else
    static let count = 100_000
  #endif

  @Test("every command line is either understood, with values as declared, or explained")
  func neverCrashes() throws {
    var generator = SplitMix64(seed: 2)
    var understood = 0
    for _ in 0..<Self.count {
      let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in Self.word(&generator) }
      do {
        let request = try Sample.parser.parse(words)
        understood += 1
        try #require(Self.isSound(request), "\(words)")
      } catch let error as UsageError {
        try #require(error.isPrintable(lines: 5), "\(words)")
        try #require(Sample.error(words) == error, "\(words)")
      }
    }
    // Neither outcome may have become rare, or this test would look at nothing.
    #expect(understood > Self.count / 50)
    #expect(understood < Self.count / 2)
  }

  private static func isSound(_ request: Request) -> Bool {
    guard case .command(let invocation) = request, invocation.command == "run" else { return true }
    let ending = invocation.value("ending")
    return invocation.positionals.count == 1 && Sample.scenarios.contains(invocation.positionals[0])
      && (ending == nil || ["cancel", "drop", "finish"].contains(ending))
      && ["text", "json"].contains(invocation.value("format"))
      && invocation.value("schedules").map { $0 == "all" || Int($0) != nil } ?? true
      && invocation.values("tag").allSatisfy { !$0.isEmpty }
  }

  private static func word(_ generator: inout SplitMix64) -> String {
    let known = vocabulary.randomElement(using: &generator)!
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return Junk.scalars(0...8, from: 0, using: &generator)
    case 1: return known + Junk.scalars(0...8, from: 0, using: &generator)
    case 2: return known + "=" + vocabulary.randomElement(using: &generator)!
    case 3: return String(known.dropLast())
    default: return known
    }
  }

  private static let vocabulary =
    Sample.scenarios + Sample.scenarios + [
      "run", "list", "check", "help", "--", "-", "--ending", "--format", "--schedules", "--seed",
      "--tag", "--quiet", "-e", "-q", "-h", "--help", "--version", "drop", "json", "all", "12",
      "-3", "", "--endign", "\u{1B}[2J", "\u{301}", "=",
    ]
}
