/// Splits a command line into words and options, given the options that exist.
///
/// An option's value is the rest of its word after `=`, else the next word unless that one looks
/// like an option; a negative number is a value. After `--` everything is a word.
struct Tokenizer {
  /// A word or an option, and where on the command line it begins.
  enum Token: Equatable {
    /// A word that is no option, and which of the words it is.
    case word(String, index: Int)
    /// An option, and its value if it has one.
    case option(OptionSpec, value: String?)
  }

  /// Why a command line can't be split.
  enum Failure: Error {
    /// A word that begins with a dash and is no option.
    case unknownOption(String)
    /// An option that needs a value, as the last word.
    case missingValue(OptionSpec)
    /// An option that has no value, with one.
    case unexpectedValue(OptionSpec, String)
  }

  private let words: [String]
  private let options: [OptionSpec]
  private var position = 0

  /// Whether `--` has been passed.
  private(set) var isPastTerminator = false

  /// Begins at the first of some words.
  init(_ words: [String], options: [OptionSpec]) {
    self.words = words
    self.options = options
  }

  /// The next word or option, or `nil` at the end.
  mutating func next() throws(Failure) -> Token? {
    if !isPastTerminator, position < words.count, words[position] == "--" {
      isPastTerminator = true
      position += 1
    }
    guard position < words.count else { return nil }
    let word = words[position]
    position += 1
    guard !isPastTerminator, Self.looksLikeOption(word) else {
      return .word(word, index: position - 1)
    }
    return try option(word)
  }

  private mutating func option(_ word: String) throws(Failure) -> Token {
    let (written, attached) = Self.split(word)
    guard let option = options.first(where: { $0.isWritten(written) }) else {
      throw .unknownOption(written)
    }
    if option.isFlag {
      if let attached { throw .unexpectedValue(option, attached) }
      return .option(option, value: nil)
    }
    guard let value = attached ?? nextValue() else { throw .missingValue(option) }
    return .option(option, value: value)
  }

  private mutating func nextValue() -> String? {
    guard position < words.count else { return nil }
    let candidate = words[position]
    if Self.looksLikeOption(candidate), Int(candidate) == nil { return nil }
    position += 1
    return candidate
  }

  // Scalars, not characters: a combining mark after '-' or '=' would otherwise hide the sign.
  private static func looksLikeOption(_ word: String) -> Bool {
    word.unicodeScalars.first == "-" && word.unicodeScalars.count > 1
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    let scalars = word.unicodeScalars
    guard let sign = scalars.firstIndex(of: "=") else { return (word, nil) }
    return (String(scalars[..<sign]), String(scalars[scalars.index(after: sign)...]))
  }
}

extension OptionSpec {
  fileprivate func isWritten(_ word: String) -> Bool {
    word == "--\(name)" || short.map { word == "-\($0)" } ?? false
  }
}
