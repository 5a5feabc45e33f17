import Testing

@Suite("The check of code that compiles or does not") struct CompilationTests {
  private static let race = """
    class C { var x = 0 }
    func f(_ c: C) { Task { c.x += 1 }; print(c.x) }
    """

  @Test(
    "what the comment says is true",
    arguments: [
      ("let x = 1", "compiles: yes"),
      ("import MemlabPatterns\nlet queue = DispatchQueue()", "compiles: yes"),
      ("let x = 1; x = 2", #"compiles: no, "'x' is a 'let' constant""#),
      (race, "compiles: yes -swift-version 5"),
      (race, #"compiles: no, "risks causing data races" -swift-version 6"#),
      ("func f() { let x = 1 }", #"compiles: yes, "'x' was never used""#),
    ])
  func isTrue(code: String, comment: String) throws {
    #expect(try Checkout().check(Sample.block("swift", code, comment: comment)).problems == [])
  }

  @Test(
    "what the comment says is not true, or not understood",
    arguments: [
      ("let x = 1; x = 2", "compiles: yes"), ("let x = 1", #"compiles: no, "constant""#),
      ("let x = 1; x = 2", #"compiles: no, "data race""#), ("let x = 1; x = 2", "compiles: no"),
      ("let x = 1; x = 2", #"compiles: no, """#), ("let x = 1", #"compiles: yes, "never used""#),
      ("let x = 1", "compiles: perhaps"), ("let x = 1", "compiles: yes indeed"),
      ("let x = 1", "compiles:"),
    ])
  func isRefused(code: String, comment: String) throws {
    try Checkout().expectRefusal(of: Sample.block("swift", code, comment: comment))
  }
}
