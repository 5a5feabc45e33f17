import MemlabKit

/// Which line of the code a step is about, or a question: what was measured, or asked, says so.
///
/// A `deinit` runs in the step that deinitialises its class. A task is created, and ends, where its
/// name is. A note is where its words are. A question is about the code words in it.
struct DecidingLines {
  // In order: the first that the code has decides.
  private let signs: [[String]]

  /// The lines of a step.
  init(after step: StepRecord) {
    let tasks = step.changes.compactMap {
      $0.dropping(prefix: "+ task ") ?? $0.dropping(prefix: "- task ")
    }
    let gone = step.changes.compactMap { $0.dropping(prefix: "- ") }.filter {
      !$0.hasPrefix("task ")
    }
    let calls = DecidingLines.codeWords(in: step.text)
    signs =
      calls.map { ["func " + $0] } + (gone.isEmpty ? [] : [["deinit {"]])
      + tasks.map { ["probe: \"\($0)\""] }
  }

  /// The lines of a question: where its rarest code word is.
  init(asking question: String) {
    signs = DecidingLines.codeWords(in: question).map { [$0] }
  }

  /// The first of some lines that decides; nil where none does.
  func first(in code: [Substring]) -> Int? {
    let found = signs.map { sign in
      code.indices.filter { line in sign.allSatisfy { code[line].contains($0) } }
    }
    return found.filter { !$0.isEmpty }.min { $0.count < $1.count }?.first
  }

  /// Words that only code has: a call with its bracket, a capture list, a name with a capital in it.
  static func codeWords(in text: String) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    let trimmed = words.map { word in
      String(word.reversed().drop { ",.?:;".contains($0) }.reversed())
    }
    return trimmed.compactMap { word in
      if ["deinit", "onTermination"].contains(word) { return word }
      if let call = word.firstIndex(of: "("), call != word.startIndex {
        return String(word[...call])
      }
      let inner = word.dropFirst()
      let isCamel = inner.contains(where: \.isUppercase) && word.allSatisfy(\.isLetter)
      return isCamel && word.first?.isLowercase == true ? word : nil
    }
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
