/// A command line, split into words as a shell would.
struct CommandLineWords {
  private var words: [String] = []
  private var word: String?
  private var quote: Character?

  /// The words, without quotes and without a comment at the end.
  ///
  /// - Throws: `NeedsShell` for whatever this small part of a shell's language has not.
  static func split(_ line: String) throws(NeedsShell) -> [String] {
    var reader = CommandLineWords()
    for character in line {
      if character == "#", reader.word == nil { break }
      try reader.read(character)
    }
    if let quote = reader.quote { throw NeedsShell(character: quote) }
    reader.endWord()
    return reader.words
  }

  private mutating func read(_ character: Character) throws(NeedsShell) {
    if character == quote {
      quote = nil
    } else if let quote {
      if quote == "\"", "$`\\".contains(character) { throw NeedsShell(character: character) }
      word?.append(character)
    } else if character == "'" || character == "\"" {
      quote = character
      word = word ?? ""
    } else if character == " " {
      endWord()
    } else if "|&;<>()$`\\*?[{~!".contains(character) {
      throw NeedsShell(character: character)
    } else {
      word = (word ?? "") + String(character)
    }
  }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }
}

/// A command line that only a real shell understands.
struct NeedsShell: Error {
  /// The first character that is not understood.
  let character: Character
}
