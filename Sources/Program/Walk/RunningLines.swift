import MemlabHeapModel
package import MemlabKit

/// The lines of the code under study that a step has run, as far as what was measured proves it.
///
/// An object that was created has run the line of its probe, and one that was deinitialised the
/// `deinit` of its class. A task that was started has run the line with its name. A note has run the
/// line that writes it, and a call that the step names the function.
package struct RunningLines {
  /// A line, and the task that has ended there; nil where the line ran.
  package struct Line: Hashable {
    /// The file's name without its folder, and the number of the line: `File.swift:12`.
    package let place: String
    /// The name of a task that has ended, whose body is the closure that begins here.
    package let ended: String?
  }

  private let listings: [Listing]

  /// A reader of these listings.
  package init(_ listings: [Listing]) { self.listings = listings }

  /// The lines of a step, in the order of what it says.
  package func lines(of step: StepRecord) -> [Line] {
    let calls = DecidingLines.codeWords(in: step.text).filter { $0.hasSuffix("(") }
    let called = calls.flatMap { call in find { $0.contains("func \(call)") } }
    return (called.map { Line(place: $0, ended: nil) } + step.changes.flatMap(lines(of:))).uniqued()
  }

  private func lines(of change: String) -> [Line] {
    let words = change.split(separator: " ")
    guard let sign = words.first, sign == "+" || sign == "-" else {
      let isCounted = words.last.map { $0.allSatisfy(\.isNumber) } ?? false
      let note = words.dropLast(isCounted ? 1 : 0).joined(separator: " ")
      return ran(find { $0.contains("note(\"\(note)\"") })
    }
    let last = words[words.count - 1]
    let named = words.dropFirst(words.count > 2 && words[1].allSatisfy(\.isNumber) ? 2 : 1)
    if named.count > 1, named.first == "task" {
      let name = named.dropFirst().joined(separator: " ")
      let lines = find { $0.contains("probe: \"\(name)\"") }
      return lines.map { Line(place: $0, ended: sign == "-" ? name : nil) }
    }
    return ran(sign == "+" ? find { $0.contains("Probe(\(last).self)") } : deinits(of: last))
  }

  private func ran(_ places: [String]) -> [Line] { places.map { Line(place: $0, ended: nil) } }

  private func find(_ isWanted: (Substring) -> Bool) -> [String] {
    listings.flatMap { listing in
      listing.lines.enumerated().compactMap { index, line in
        isWanted(line) ? "\(listing.fileName):\(listing.line + index)" : nil
      }
    }
  }

  /// The `deinit` of a class, which is the first after its name and before the next class.
  private func deinits(of type: Substring) -> [String] {
    var isInside = false
    return find { line in
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      let keyword = words.firstIndex { ["class", "actor"].contains($0) }
      if let keyword, keyword + 1 < words.count { isInside = words[keyword + 1] == type }
      return isInside && words.first == "deinit"
    }
  }
}

extension Listing {
  /// The lines of the code.
  package var lines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Which of the lines declares the property of a name, from 0; nil where none does.
  func place(declaring name: String) -> Int? {
    lines.firstIndex { line in
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      return zip(words, words.dropFirst()).contains { ["var", "let"].contains($0) && $1 == name }
    }
  }
}

/// Which line of the code a step is about, or a question: what was measured, or asked, says so.
///
/// A `deinit` runs in the step that deinitialises its class. A task is created, and ends, where its
/// name is. A note is where its words are. A question is about the code words in it.
struct DecidingLines {
  // In order: the first that the code has decides.
  private let signs: [[String]]

  /// The lines of a step.
  init(after step: StepRecord) {
    let tasks = step.changes.compactMap { $0.afterPrefix("+ task ") ?? $0.afterPrefix("- task ") }
    let isGone = step.changes.contains { $0.hasPrefix("- ") && !$0.hasPrefix("- task ") }
    let calls = DecidingLines.codeWords(in: step.text).map { ["func " + $0] }
    signs = calls + (isGone ? [["deinit {"]] : []) + tasks.map { ["probe: \"\($0)\""] }
  }

  /// The lines of a question: where its rarest code word is.
  init(asking question: String) { signs = DecidingLines.codeWords(in: question).map { [$0] } }

  /// The first of some lines that decides; nil where none does.
  func first(in code: [Substring]) -> Int? {
    let found = signs.map { sign in
      code.indices.filter { line in sign.allSatisfy { code[line].contains($0) } }
    }
    return found.filter { !$0.isEmpty }.min { $0.count < $1.count }?.first
  }

  /// Words that only code has: a call with its bracket, a capture list, a name with a capital in it.
  static func codeWords(in text: String) -> [String] {
    let trimmed = text.split(separator: " ").map { word in
      String(word.reversed().drop { ",.?:;".contains($0) }.reversed())
    }
    return trimmed.compactMap { word in
      if ["deinit", "onTermination"].contains(word) { return word }
      if let call = word.firstIndex(of: "("), call != word.startIndex {
        return String(word[...call])
      }
      let isCamel = word.dropFirst().contains(where: \.isUppercase) && word.allSatisfy(\.isLetter)
      return isCamel && word.first?.isLowercase == true ? word : nil
    }
  }
}
