import Foundation
import MemlabExercises
import MemlabKit
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The formats of memlab exercise") struct ExerciseFormatTests {
  @Test("JSON has each ending with what is wrong, and the exit code says whether it is solved")
  func json() throws {
    let words = ["exercise", "01", "--ending", "kept", "--format", "json"]
    let run = try MemlabBinary.run(words).exits(1)
    let verdict = try run.stdout.jsonObject()
    #expect(verdict["schema"] as? String == "memlab.exercise/1")
    #expect(verdict["solved"] as? Bool == false)
    let endings = try #require(verdict["endings"] as? [[String: Any]])
    #expect(endings.map { $0["ending"] as? String } == ["kept"])
    #expect((endings[0]["sentences"] as? [String])?.isEmpty == false)
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.exercise/1\","))
  }

  @Test("the list as JSON has every exercise") func list() throws {
    let words = ["exercise", "list", "--format", "json"]
    let verdicts = try MemlabBinary.run(words, of: "SolvedExercises").stdout.jsonObject()
    #expect(verdicts["solved"] as? Int == Exercises.all.count)
    #expect((verdicts["exercises"] as? [Any])?.count == Exercises.all.count)
  }

  @Test("JUnit has a case for each ending, with a failure and a time") func junit() throws {
    let run = try MemlabBinary.run(["exercise", "01", "--format", "junit"]).exits(1).says(
      "<testsuites name=\"memlab exercise\" tests=\"4\" failures=\"4\"",
      "classname=\"memlab.exercise.01\" name=\"ending kept\"")
    #expect(run.stdout.firstMatch(of: /time="\d+\.\d{3}"/) != nil)
    _ = try XMLDocument(xmlString: run.stdout)
  }
}
