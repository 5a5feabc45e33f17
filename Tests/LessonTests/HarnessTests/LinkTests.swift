import Testing

@Suite("The check of links") struct LinkTests {
  private static let files = [
    "README.md": "# Top\n", "Lessons/01-a/README.md": "# Who owns `whom`?\n\n# Twice\n# Twice\n",
    "Sources/A.swift": "",
  ]

  private func problems(_ text: String, path: String = "Lessons/01-a/B.md") throws -> [Problem] {
    let checkout = try Checkout(Self.files)
    return LinkChecker(root: checkout.root).check(MarkdownText(path: path, text: text))
  }

  @Test(
    "a link that leads somewhere passes",
    arguments: [
      "[a](README.md) and [b](../../README.md#top)", "[a](../01-a/)", "![a](README.md \"title\")",
      "[a]: ../../Sources/A.swift", "<a href=\"README.md\">a</a>", "`Sources/A.swift:31:5`",
      "`Lessons/01-a` and `Lessons/<lesson>/README.md`", "`memlab run a`",
      "[a](https://example.org/x)",
      "[a](README.md#who-owns-whom)", "[a](README.md#twice-1)", "# Here\n[a](#here)",
      "```text\n[a](nowhere.md)\n```", "`[a](nowhere.md)`",
    ])
  func leadsSomewhere(text: String) throws { #expect(try problems(text) == []) }

  @Test(
    "a link that leads nowhere is found",
    arguments: [
      "[a](nowhere.md)", "[a](readme.md)", "[a](../../../README.md)", "[a](/README.md)",
      "[a]: nowhere.md", "<img src=\"nowhere.png\">", "`Sources/B.swift`", "`Lessons/02-b/`",
      "[a](README.md#none)", "[a](#none)", "[`code`](nowhere.md)", "![a](nowhere.png)",
    ])
  func leadsNowhere(text: String) throws {
    let problems = try problems("\n" + text)
    #expect(problems.count == 1)
    #expect(problems.first?.line == 2)
  }
}
