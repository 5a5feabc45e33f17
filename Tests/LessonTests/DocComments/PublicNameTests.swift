import Foundation
import TestSupport
import Testing

@Suite("What `import Memlab` brings") struct PublicNameTests {
  /// The names, each a page of the documentation and a promise.
  private static let names: Set = [
    "AppWide", "Belief", "Cause", "Claim", "Declaration", "DeclaredHolder", "Document", "Ending",
    "Lab", "Ledger", "Listing", "Measurement", "MemlabApp", "Metric", "ObjectCount", "Probe",
    "Rendezvous", "Scenario", "TaskCount", "Totals", "Variable", "Verdict",
  ]

  @Test("is at most 25 names, and each of them is known here") func names() throws {
    let found = try Set(
      ["Program/Memlab", "Lab/Kit"].flatMap {
        try Repository.files(in: "Sources/\($0)", endingIn: ".swift").flatMap(Self.declared)
      })
    #expect(found == Self.names)
    #expect(found.count <= 25)
  }

  /// The public names that a file declares at its top level.
  private static func declared(in path: String) throws -> [String] {
    let kinds = "struct|class|enum|protocol|actor|func|typealias|let|var|macro"
    let pattern = try Regex(
      "^(?:@\\w+ )*public (?:final )?(?:\(kinds)) (\\w+)", as: (Substring, Substring).self)
    return try Repository.text(path).split(separator: "\n").compactMap { line in
      line.firstMatch(of: pattern).map { String($0.1) }
    }
  }

  @Test("is documented, and each block of its articles is code of a sample that is built")
  func articles() throws {
    let samples = try ["OurLab", "OurPackages"].flatMap {
      try Repository.files(in: "Tests/Fixtures/\($0)", endingIn: ".swift")
        .filter { !$0.contains(".build") }.map(Repository.text)
    }
    let articles = Repository.files(in: "Sources/Program/Memlab/Memlab.docc", endingIn: ".md")
    #expect(articles.count >= 3)
    for path in articles {
      let text = try Repository.text(path)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let code = block.components(separatedBy: "```")[0]
        #expect(samples.contains { $0.contains(code) }, "\(path): no sample has\n\(code)")
      }
    }
    let root = try Repository.text("Sources/Program/Memlab/Memlab.docc/Memlab.md")
    for name in Self.names { #expect(root.contains("`\(name)`"), "\(name)") }
  }
}
