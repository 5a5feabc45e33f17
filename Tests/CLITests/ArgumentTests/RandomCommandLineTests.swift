import MemlabCLI
import Testing

@Suite("Random command lines")
struct RandomCommandLineTests {
  #if DEBUG
    static let count = 5_000
  #else
    static let count = 100_000
  #endif

  @Test("every command line is either understood, with values as declared, or explained")
  func neverCrashes() throws {
    var generator = SplitMix64(state: 2)
    var understood = 0
    for _ in 0..<Self.count {
      let words = Self.commandLine(&generator)
      do {
        let request = try Sample.parser.parse(words)
        understood += 1
        try #require(Self.isSound(request), "\(words)")
      } catch let error as UsageError {
        try #require(Self.isPrintable(error), "\(words)")
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
    return invocation.positionals.count == 1
      && Sample.scenarios.contains(invocation.positionals[0])
      && (ending == nil || ["cancel", "drop", "finish"].contains(ending))
      && ["text", "json"].contains(invocation.value("format"))
      && invocation.value("schedules").map { $0 == "all" || Int($0) != nil } ?? true
      && invocation.values("tag").allSatisfy { !$0.isEmpty }
  }

  private static func isPrintable(_ error: UsageError) -> Bool {
    let scalars = error.description.unicodeScalars
    return error.description.hasPrefix("Error: ") && error.suggestions.count <= 3
      && scalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
      && scalars.filter { $0 == "\n" }.count <= 5
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

/// A small generator with a seed, so that a failure can be repeated (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
