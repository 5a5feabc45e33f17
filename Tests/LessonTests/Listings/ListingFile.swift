import Foundation
import TestSupport

/// The Swift file that carries the snippets of a source file into the binary.
struct ListingFile {
  /// The source file, from the root of the checkout.
  let source: String

  /// The file's path from the root of the checkout.
  var path: String { "Sources/Scenarios/Listings/\(typeName).swift" }

  /// The name of its list: `strongSelfListing`.
  var listName: String { typeName.prefix(1).lowercased() + typeName.dropFirst() }

  // A pattern may have the name of the scenario that shows it.
  private var typeName: String {
    let name = (source.split(separator: "/").last ?? "").dropLast(".swift".count)
    return (source.hasPrefix("Sources/Scenarios/") ? "" : "Patterns") + name + "Listing"
  }

  /// What the file has to be.
  func text() throws -> String {
    let entries = try Self.entries(of: source)
    return """
      // swift-format-ignore-file
      // Copies of what is marked in \(source); renewed by 'make record'.

      extension Listing {
        static let \(listName): [Listing] = [
      \(entries.joined(separator: "\n"))
        ]
      }

      """
  }

  private static func entries(of path: String) throws -> [String] {
    let markers = SnippetMarkers(path: path, source: try CourseText.source(path))
    return markers.starts.sorted { $0.value < $1.value }.map { name, line in
      let code = (markers.snippets[name] ?? []).map { $0.isEmpty ? "" : "      " + $0 }
      return """
            Listing(
              "\(name)", path: "\(path)", line: \(line),
              code: #\"""
        \(code.joined(separator: "\n"))
              \"""#),
        """
    }
  }

  /// One file for each source file that has snippets.
  static let all = CourseText.sources.filter { path in
    !path.contains("/Listings/")
      && (try? CourseText.source(path).contains("// snippet:")) == true
  }.map(ListingFile.init)

  /// The file that lists the lists.
  static let indexPath = "Sources/Scenarios/Listings/AllListings.swift"

  /// What the file that lists the lists has to be.
  static var index: String {
    """
    // swift-format-ignore-file
    // The lists of this folder; renewed by 'make record'.

    extension Listing {
      static let all: [Listing] = [
    \(all.map { "    \($0.listName)," }.joined(separator: "\n"))
      ].flatMap(\\.self)
    }

    """
  }
}
