import Testing

@Suite("The check of snippets") struct SnippetTests {
  private static let path = "Sources/Course/Scenarios/A.swift"
  private static let source = """
    enum A {
      // snippet:code
      func f() {

        g()
      }

      // snippet:end
      // snippet:other
      let x = 1
      // snippet:end
    }
    """
  private static let code = "func f() {\n\n  g()\n}"

  @Test("a true copy passes, without the indentation of the source") func isTrue() throws {
    let text = Sample.block("swift", Self.code, comment: "snippet: \(Self.path)#code")
    #expect(try Checkout([Self.path: Self.source]).check(text).problems.isEmpty)
  }

  @Test("a stale copy is found and renewed") func isStale() throws {
    let checkout = try Checkout([Self.path: Self.source])
    let comment = "snippet: \(Self.path)#code"
    let (problems, renewed) = checkout.check(Sample.block("swift", "f()", comment: comment))
    #expect(problems.count == 1)
    #expect(problems.first?.contains("make record") == true)
    #expect(renewed == Sample.block("swift", Self.code, comment: comment))
  }

  @Test(
    "a copy of nothing is refused",
    arguments: [
      "Sources/Course/Scenarios/A.swift#none", "Sources/Course/Scenarios/B.swift#code",
      "Sources/Course/Scenarios/A.swift",
      "Sources/../Sources/Course/Scenarios/A.swift#code", "README.md#code", "",
    ])
  func isRefused(reference: String) throws {
    let text = Sample.block("swift", Self.code, comment: "snippet: \(reference)")
    try Checkout([Self.path: Self.source]).expectRefusal(of: text)
  }

  @Test(
    "a marker out of place is found",
    arguments: [
      ("// snippet:a\nx\n", 1), ("x\n// snippet:end\n", 2),
      ("// snippet:a\nx\n// snippet:b\ny\n// snippet:end\n", 3),
      ("// snippet:a\nx\n// snippet:end\n// snippet:a\ny\n// snippet:end\n", 4),
      ("// snippet:a\n\n// snippet:end\n", 3), ("//snippet: Two Words\nx\n// snippet:end\n", 1),
    ])
  func markers(source: String, line: Int) {
    #expect(SnippetMarkers(path: "A.swift", source: source).problems.map(\.line) == [line])
  }

  @Test("markers in their place are no problem, and other comments are no markers")
  func goodMarkers() {
    let markers = SnippetMarkers(path: Self.path, source: "/// A snippet:a.\n" + Self.source)
    #expect(markers.problems.isEmpty)
    #expect(
      markers.snippets == ["code": ["func f() {", "", "  g()", "}"], "other": ["let x = 1"]])
  }
}
