import MemlabCLI
import Testing

@Suite("Suggestions") struct SuggestionTests {
  private func suggestions(for word: String, among scenarios: [String]) -> [String]? {
    let table = CommandTable(
      abstract: "", commands: [CommandSpec("run", abstract: "")], defaultCommand: "run")
    do {
      _ = try CommandLineParser(table: table, scenarios: scenarios).parse([word])
      return nil
    } catch { return error.suggestions }
  }

  @Test("a swap of neighbours is one edit, so it comes before two replacements")
  func swapsAreOneEdit() {
    #expect(suggestions(for: "abdc", among: ["abaa", "abcd"]) == ["abcd", "abaa"])
  }

  @Test("at most three names, the closest first, equal ones by alphabet") func order() {
    let names = ["lane-d", "lane-c", "lane-b", "lane-a", "line-x"]
    #expect(suggestions(for: "lane-x", among: names) == ["lane-a", "lane-b", "lane-c"])
    #expect(suggestions(for: "lane-x", among: names.reversed()) == ["lane-a", "lane-b", "lane-c"])
  }

  @Test("case and underscores don't count, and a much better name is not drowned") func spelling() {
    let names = ["lune-b", "lane-b", "lane-a"]
    #expect(suggestions(for: "LANE_A", among: names) == ["lane-a", "lane-b"])
    #expect(suggestions(for: "a_b_c_d", among: ["a-b-c-d"]) == ["a-b-c-d"])
  }

  @Test("the beginning of a name is enough, nothing like a name is not") func beginnings() {
    #expect(suggestions(for: "captured", among: ["captured-dependency"]) == ["captured-dependency"])
    #expect(suggestions(for: "ca", among: ["captured-dependency"]) == [])
    #expect(suggestions(for: "zebra", among: ["captured-dependency"]) == [])
  }

  @Test("a short word is not turned into another one") func shortWords() {
    #expect(suggestions(for: "q", among: ["ab", "xyz"]) == [])
    #expect(suggestions(for: "abx", among: ["aby"]) == ["aby"])
  }

  @Test("a very long word costs nothing and suggests nothing") func longWords() {
    let word = String(repeating: "strong-self", count: 100_000)
    #expect(suggestions(for: word, among: ["strong-self"]) == [])
  }
}
