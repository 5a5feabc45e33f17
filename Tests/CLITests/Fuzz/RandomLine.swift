import MemlabCLI
import MemlabTerminalText

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
    case 1: return bytes(1...12, using: &generator)
    case 2: return Array(repeating: UInt8.random(in: 1...255, using: &generator), count: 5_000)
    case 3: return Array(scalars(1...8, using: &generator).utf8)
    default: return Array(known.randomElement(using: &generator)!.utf8)
    }
  }

  private static let known = [
    "--", "-", "=", "--=", "---", "-=x", "--ending=", "\u{1B}[2J", "\u{301}", "\u{202E}", "\r\n",
    "-3", "0", "99999999999999999999", "0x10", "１２", "strong-slef", "$(true)", "'", "%s%n",
  ]

  private static func bytes(
    _ count: ClosedRange<Int>, using generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    (0..<Int.random(in: count, using: &generator)).map { _ in
      UInt8.random(in: 1...255, using: &generator)
    }
  }

  private static func scalars(
    _ count: ClosedRange<Int>, using generator: inout some RandomNumberGenerator
  ) -> String {
    let scalars = (0..<Int.random(in: count, using: &generator)).map { _ in
      Unicode.Scalar(UInt32.random(in: 1...0x10FFFF, using: &generator)) ?? "\u{7F}"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
