import TestSupport

/// The declarations of a Swift file that others can see, and whether each has a `///` comment.
///
/// Read line by line, which is enough for formatted code: a declaration begins a line, and is
/// counted at the top of the file and in types and extensions. Private ones, `deinit`, overrides
/// and what stands between `// snippet:` marks do not count: a snippet is a document's own code.
/// What meets a protocol's requirement has the requirement's comment, as in DocC.
struct Declarations {
  /// The lines of the declarations without a comment, counted from 1.
  var bare: [Int] { bareNames.map(\.line) }
  /// The same with their names.
  private(set) var bareNames: [(line: Int, name: String)] = []
  /// The names of what protocols ask for, where a comment says what it is for.
  private(set) var requirements: Set<String> = []
  /// How many declarations have a comment.
  private(set) var documented = 0

  /// How many declarations there are.
  var count: Int { documented + bare.count }

  /// What a brace belongs to.
  private enum Scope { case open, requirements, closed }

  private var scopes: [Scope] = []
  private var next: Scope?
  private var hasComment = false
  private var isSnippet = false
  private var isText = false

  /// Reads a file.
  init(source: String) {
    for (number, line) in zip(1..., source.newlineSeparated) { read(line.trimmed, number) }
  }

  private mutating func read(_ line: String, _ number: Int) {
    if isText || line.hasPrefix("//") { return readText(line) }
    let code = Self.withoutLiterals(line)
    if let words = Self.declaration(code), !scopes.contains(.closed) {
      let isHidden = !words.modifiers.isDisjoint(with: ["private", "fileprivate"])
      next = isHidden || !words.isType ? .closed : words.kind == "protocol" ? .requirements : .open
      if !isHidden, !isSnippet, words.isCounted {
        if hasComment { documented += 1 } else { bareNames.append((number, words.name)) }
        if hasComment, scopes.last == .requirements { requirements.insert(words.name) }
      }
    }
    for character in code {
      if character == "{" {
        scopes.append(next ?? .closed)
        next = nil
      }
      if character == "}" { scopes.removeLast(scopes.isEmpty ? 0 : 1) }
    }
    isText = line.ranges(of: "\"\"\"").count % 2 == 1
    // An attribute or the condition of a compilation may stand between a comment and its code.
    if !line.hasPrefix("@") || Self.declaration(code) != nil { hasComment = false }
  }

  /// Reads a comment, or a line of a literal of several lines.
  private mutating func readText(_ line: String) {
    if isText {
      isText = !line.contains("\"\"\"")
    } else if line.hasPrefix("// snippet:") {
      isSnippet = line != "// snippet:end"
    } else {
      hasComment = line.hasPrefix("///")
    }
  }

  private static func withoutLiterals(_ line: String) -> String {
    let code = line.contains("\"") ? line.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "\"\"") : line
    return code.firstRange(of: "//").map { String(code[..<$0.lowerBound]) } ?? code
  }

  /// The modifiers and the kind of a declaration that begins with this line.
  private static func declaration(_ code: String) -> DeclarationWords? {
    var modifiers: Set<String> = []
    let all = code.split(whereSeparator: { " (<:{[?!,".contains($0) }).map(String.init)
    for (index, word) in all.enumerated() {
      if DeclarationWords.kinds.contains(word) {
        let name = all.dropFirst(index + 1).first ?? ""
        return DeclarationWords(kind: word, name: name, modifiers: modifiers)
      }
      guard word.hasPrefix("@") || DeclarationWords.modifiers.contains(word) else { return nil }
      // `private(set)` hides the setter alone.
      if !code.contains("\(word)(set)") { modifiers.insert(word) }
    }
    return nil
  }
}

/// How a declaration begins.
struct DeclarationWords {
  /// The words that name what is declared.
  static let kinds: Set = [
    "func", "var", "let", "init", "class", "struct", "enum", "actor", "protocol", "extension",
    "typealias", "subscript", "case", "associatedtype", "deinit", "macro",
  ]
  /// The words that may stand before them.
  static let modifiers: Set = [
    "public", "package", "internal", "private", "fileprivate", "open", "static", "final", "lazy",
    "mutating", "nonmutating", "nonisolated", "nonisolated(unsafe)", "unsafe)", "set)", "weak",
    "unowned", "override", "convenience", "required", "indirect", "isolated", "consuming",
    "borrowing", "dynamic", "distributed", "prefix", "postfix", "infix", "async", "sending",
  ]

  /// What is declared.
  let kind: String
  /// What it is called; the label of the first argument for an initializer.
  let name: String
  /// The words before it.
  let modifiers: Set<String>

  /// Whether what stands in its braces is visible wherever it is.
  var isType: Bool { ["class", "struct", "enum", "actor", "protocol", "extension"].contains(kind) }

  /// Whether a comment is expected of it.
  var isCounted: Bool { kind != "extension" && kind != "deinit" && !modifiers.contains("override") }
}
