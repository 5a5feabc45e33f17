import MemlabCLI
import MemlabKit
import Testing

@Suite("Random command lines") struct RandomCommandLineTests {
  #if DEBUG
    static let count = 5_000
  #else
    static let count = 100_000
  #endif

  @Test("every command line is either understood, with values as declared, or explained")
  func neverCrashes() throws {
    var generator = SplitMix64(seed: 2)
    var understood = 0
    for _ in 0..<Self.count {
      let words = Self.commandLine(&generator)
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

  private static func commandLine(_ generator: inout SplitMix64) -> [String] {
    (0..<Int.random(in: 0...6, using: &generator)).map { _ in word(&generator) }
  }

  private static func word(_ generator: inout SplitMix64) -> String {
    let known = vocabulary.randomElement(using: &generator)!
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return noise(&generator)
    case 1: return known + noise(&generator)
    case 2: return known + "=" + vocabulary.randomElement(using: &generator)!
    case 3: return String(known.dropLast())
    default: return known
    }
  }

  private static func noise(_ generator: inout SplitMix64) -> String {
    let scalars = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) ?? "\u{1B}"
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static let vocabulary =
    Sample.scenarios + Sample.scenarios + [
      "run", "list", "check", "help", "--", "-", "--ending", "--format", "--schedules", "--seed",
      "--tag", "--quiet", "-e", "-q", "-h", "--help", "--version", "drop", "json", "all", "12",
      "-3", "", "--endign", "\u{1B}[2J", "\u{301}", "=",
    ]
}
