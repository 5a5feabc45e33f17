import TestSupport
import Testing

@Suite("The words that people read") struct WordTests {
  @Test("a text says it in plain words", arguments: CourseText.worded)
  func plain(path: String) throws {
    for (line, word, instead) in PlainWords.found(in: try Repository.text(path)) {
      Issue.record("\(path):\(line): '\(word)': say \(instead)")
    }
  }

  @Test("every term of the glossary is used") func glossary() throws {
    let glossary = Glossary(try Repository.text(Glossary.path))
    #expect(glossary.terms.count >= 20)
    #expect(Set(glossary.terms).count == glossary.terms.count)
    let texts = try CourseText.explained.filter { $0 != Glossary.path }.map(Repository.text)
    #expect(glossary.missing(in: texts) == [])
  }

  @Test("a word on the list is found, at its line, in any case and only as a word")
  func findsWords() {
    #expect(PlainWords.instead.count == PlainWords.patternCount)
    let text = "Whoever asks\nrecommends\namended, and mended\nIt stands, for it is heavy."
    let found = PlainWords.found(in: text)
    #expect(found.map(\.line) == [1, 3, 4])
    #expect(found.map(\.word) == ["Whoever", "mended", ", for it "])
  }

  @Test("a term that no text uses is found, across the end of a line too") func findsTerms() {
    let glossary = Glossary("# Words\n- **task**: work\n- **edge to cut**: a reference\n- no term")
    #expect(glossary.terms == ["task", "edge to cut"])
    #expect(glossary.missing(in: ["a Task, and the edge\n  to cut"]) == [])
    #expect(glossary.missing(in: ["an edge"]) == ["task", "edge to cut"])
  }
}
