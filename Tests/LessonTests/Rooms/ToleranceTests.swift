import TestSupport
import Testing

@Suite("What tests tolerate")
struct ToleranceTests {
  @Test("Tests/README names each trait that skips a test, and no other") func skips() throws {
    let sources = try Repository.files(in: "Tests", endingIn: ".swift").map(CourseText.source)
    let declared = sources.flatMap { source in
      source.matches(of: /static var (needs\w+): Self/).map { String($0.1) }
    }
    let table = try CourseText.source("Tests/README.md")
    let named = table.matches(of: /`\.(needs\w+)`/).map { String($0.1) }
    #expect(!declared.isEmpty)
    #expect(Set(named) == Set(declared))
  }
}
