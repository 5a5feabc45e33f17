import MemlabHeapModel
import MemlabPlatform

/// A named part of a source file, as it was when this was built: `show` works from anywhere.
///
/// The plugin `MemlabEmbed` writes the list `Listing.all` in each build.
public struct Listing: Sendable, Equatable {
  /// The name behind `// snippet:`.
  package let name: String
  /// The file's path from the root of the checkout.
  package let path: String
  private let markedLine: Int
  private let marked: String

  /// A part as it stands in its file; blank lines at its ends are left out.
  ///
  /// - Parameters:
  ///   - name: The name behind `// snippet:`.
  ///   - path: The file's path from the root of the checkout.
  ///   - line: The line after the marker, counted from 1.
  ///   - marked: All lines between the two markers.
  public init(_ name: String, path: String, line: Int, marked: String) {
    (self.name, self.path) = (name, path)
    (markedLine, self.marked) = (line, marked)
  }

  /// The line of the file that is the first of the code, counted from 1.
  package var line: Int { markedLine + markedLines.prefix(while: Self.isBlank).count }

  /// The code, without the indentation that its lines have in common.
  package var code: String {
    let start = markedLines.drop(while: Self.isBlank)
    let kept = start.dropLast(start.reversed().prefix(while: Self.isBlank).count)
    let indent = kept.filter { !Self.isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return kept.map { Self.isBlank($0) ? "" : $0.dropFirst(indent) }.joined(separator: "\n")
  }

  // Computed when somebody asks: every run has all listings, and shows few or none.
  private var markedLines: [Substring] {
    marked.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy { $0 == " " } }

  /// The code under study of a scenario: what its own file marks, then what it names of others.
  ///
  /// Where the build has no code, the scenario's file is read, if it is still where it was built.
  package static func of(_ scenario: Scenario) -> [Listing] {
    let all = scenario.embedded.isEmpty ? marked(in: scenario) : scenario.embedded
    let own = all.filter { $0.path == scenario.source.file }
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

  /// What the file of a scenario marks with `// snippet:`, as it is now.
  private static func marked(in scenario: Scenario) -> [Listing] {
    guard let text = try? String(contentsOfFile: scenario.path, encoding: .utf8) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var listings: [Listing] = []
    var open: (name: String, line: Int)?
    for (index, line) in lines.enumerated() {
      let words = line.drop { $0 == " " }
      guard words.hasPrefix("// snippet:") else { continue }
      if let (name, start) = open {
        let code = lines[start..<index].joined(separator: "\n")
        listings.append(Listing(name, path: scenario.source.file, line: start + 1, marked: code))
      }
      let name = words.dropFirst("// snippet:".count).split(separator: " ").first.map(String.init)
      open = name.flatMap { $0 == "end" ? nil : ($0, index + 1) }
    }
    return listings
  }
}
