package import MemlabKit

/// A named part of a source file, as it was when this was built: `memlab show` works from anywhere.
///
/// The plugin `EmbedListings` writes the list of `all` in each build.
package struct Listing: Sendable, Equatable {
  /// The name behind `// snippet:`.
  package let name: String
  /// The file's path from the root of the checkout.
  package let path: String
  /// The line of the file that is the first of the code, counted from 1.
  package let line: Int
  /// The code, without the indentation that its lines have in common.
  package let code: String

  /// A part as it stands in its file; blank lines at its ends are left out.
  ///
  /// - Parameters:
  ///   - name: The name behind `// snippet:`.
  ///   - path: The file's path from the root of the checkout.
  ///   - line: The line after the marker, counted from 1.
  ///   - marked: All lines between the two markers.
  package init(_ name: String, path: String, line: Int, marked: String) {
    let isBlank: (Substring) -> Bool = { $0.allSatisfy { $0 == " " } }
    let lines = marked.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.prefix(while: isBlank).count
    let end = lines.count - lines.reversed().prefix(while: isBlank).count
    let kept = lines[min(start, end)..<end]
    let indent = kept.filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    self.name = name
    self.path = path
    self.line = line + start
    code = kept.map { isBlank($0) ? "" : $0.dropFirst(indent) }.joined(separator: "\n")
  }

  /// The code under study of a scenario: what its own file marks, then what it names of others.
  package static func of(_ scenario: Scenario) -> [Listing] {
    let file = scenario.file.split(separator: "/").last.map(String.init) ?? ""
    let own = all.filter { $0.path.hasPrefix("Sources/Scenarios/") && $0.fileName == file }
    let first = own.filter { $0.name == "code" } + own.filter { $0.name != "code" }
    return first + scenario.code.flatMap { reference in all.filter { $0.isNamed(reference) } }
  }

  /// The same, with the part that one of its endings runs before the others.
  package static func of(_ scenario: Scenario, in ending: Ending) -> [Listing] {
    let listings = of(scenario)
    guard let code = ending.code else { return listings }
    return listings.filter { $0.isNamed(code) } + listings.filter { !$0.isNamed(code) }
  }

  /// The file's name without its folder.
  package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether a reference such as `Patterns/ReactorKit/WeakMapTable.swift#code` means this part.
  private func isNamed(_ reference: String) -> Bool { "\(path)#\(name)" == "Sources/\(reference)" }
}
