import FoundationEssentials
import MemlabKit

/// The code under study, read from the checkout that memlab is run in.
enum SourceSnippet {
  /// The lines between `// snippet:code` and `// snippet:end` of the file that declares a scenario;
  /// nil outside of a checkout.
  @Sendable static func text(of scenario: Scenario) -> String? {
    let folder = "Sources/Scenarios"
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    for file in files.sorted() where file.hasSuffix(".swift") {
      guard let source = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8),
        source.contains("id: \"\(scenario.id)\","), let code = code(in: source)
      else { continue }
      return code
    }
    return nil
  }

  private static func code(in source: String) -> String? {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let begins = lines.firstIndex { $0.hasSuffix("// snippet:code") }
    guard let begins,
      let ends = lines[begins...].firstIndex(where: { $0.hasSuffix("// snippet:end") })
    else { return nil }
    let code = lines[(begins + 1)..<ends]
    let margin = code.filter { !$0.allSatisfy(\.isWhitespace) }.map {
      $0.prefix { $0 == " " }.count
    }
    return code.map { $0.dropFirst(margin.min() ?? 0) }.joined(separator: "\n")
  }
}
