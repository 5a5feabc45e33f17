import Foundation

/// The targets of a `Package.swift`, read as text: SwiftPM would need seconds for it.
struct Manifest {
  /// A target of the package.
  struct Target: Equatable {
    /// Its name.
    let name: String
    /// `target`, `executableTarget`, `testTarget` or `plugin`.
    let kind: String
    /// The targets of the same package that it depends on.
    let dependencies: Set<String>
    /// The folder that it names; nil where the usual one is meant.
    let path: String?
    /// Where its files are, from the package's folder.
    var folder: String { path ?? (kind == "testTarget" ? "Tests/" : "Sources/") + name }
  }

  /// The targets, by name.
  private(set) var targets: [String: Target] = [:]

  private static let declarations = expression(
    #"\.(executableTarget|testTarget|target|plugin)\(\s*name: "(\w+)""#)
  // On some platforms there may be none: 'isPortable ? [] : ["A"]'.
  private static let dependencies = expression(#"dependencies:[^\[]*(?:\[\] : )?\[([^\]]*)\]"#)
  private static let products = expression(#"\.product\([^)]*\)"#)
  private static let strings = expression(#""([^"]*)""#)
  private static let path = expression(#"path: "([^"]*)""#)

  /// Reads a manifest as `swift format` writes it.
  init(_ text: String) {
    let code = text.components(separatedBy: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    let found = Self.declarations.places(in: code)
    let ends = found.dropFirst().map { $0[0].lowerBound } + [code.endIndex]
    for (groups, end) in zip(found, ends) {
      let (kind, name) = (String(code[groups[1]]), String(code[groups[2]]))
      let part = String(code[groups[0].lowerBound..<end])
      var list = Self.dependencies.places(in: part).first.map { String(part[$0[1]]) } ?? ""
      for product in Self.products.places(in: list).reversed() { list.removeSubrange(product[0]) }
      targets[name] = Target(
        name: name, kind: kind,
        dependencies: Set(Self.strings.places(in: list).map { String(list[$0[1]]) }),
        path: Self.path.places(in: part).first.map { String(part[$0[1]]) })
    }
  }

  private static func expression(_ pattern: String) -> NSRegularExpression {
    do {
      return try NSRegularExpression(pattern: pattern)
    } catch {
      preconditionFailure("\(pattern): \(error)")
    }
  }
}

/// The modules that Swift code imports.
func imports(of code: String) -> Set<String> {
  let lines = code.components(separatedBy: "\n").filter { $0.contains("import ") }
  return Set(
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"),
        words[..<place].allSatisfy({ word in
          word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
        })
      else { return nil }
      let kinds: Set = ["class", "struct", "enum", "func", "var", "let", "protocol", "typealias"]
      return words[(place + 1)...].first { !kinds.contains(String($0)) }
        .map { String($0.prefix { $0 != "." }) }
    })
}

extension NSRegularExpression {
  /// Where the expression fits a text: the whole, and each group.
  fileprivate func places(in text: String) -> [[Range<String.Index>]] {
    matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
      (0..<match.numberOfRanges).compactMap { Range(match.range(at: $0), in: text) }
    }
  }
}
