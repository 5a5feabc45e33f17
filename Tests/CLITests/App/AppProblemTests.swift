import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabTerminalText
import Testing

@Suite("Scenarios that nobody has tested")
struct AppProblemTests {
  private static func scenario(
    _ id: String, next: String? = nil, endings: [String] = ["end"]
  ) -> Scenario {
    Scenario(
      id: id, title: "a sample", next: next,
      endings: endings.map { Ending($0, "it ends", expects: .nothing) { _ in } })
  }

  @Test(
    "are refused as a whole, with a sentence about each fault",
    arguments: [
      ([], "our-lab has no scenarios; give it one."),
      ([scenario("a"), scenario("a")], "Two scenarios have the id 'a'."),
      ([scenario("check")], "The scenario 'check' has the name of a command."),
      ([scenario("two words")], "The id 'two words' cannot be typed as one word"),
      ([scenario("a", endings: [])], "The scenario 'a' has no endings."),
      ([scenario("a", endings: ["x", "x"])], "The scenario 'a' has two endings 'x'."),
      ([scenario("a", next: "b")], "The scenario 'a' points to 'b', which is not there."),
    ])
  func refused(scenarios: [Scenario], sentence: String) {
    let app = App(name: "our-lab", scenarios: scenarios)
    #expect(app.problems.count == 1)
    #expect(app.problems.first?.hasPrefix(sentence) == true, "\(app.problems)")
    let page = Page()
    #expect(Memlab(session: page.session(app)).runUntested(["list"]) == .usage)
    #expect(page.errors.hasPrefix("Error: \(sentence)"))
    #expect(page.output == "")
  }

  @Test("are not run, nor listed, where what was typed cannot be read") func withoutWords() {
    let page = Page()
    let program = Memlab(session: page.session(App(scenarios: [Self.scenario("a")])))
    #expect(program.run(nil) == .untrusted)
    #expect(program.runUntested(nil) == .untrusted)
    let error = "Error: what was typed cannot be read; on Linux, mount /proc and try again\n"
    #expect(page.errors == error + error)
    #expect(page.output == "")
  }

  @Test("may have the name of a command that they have not") func courseCommands() {
    #expect(App(scenarios: [Self.scenario("lesson")]).problems == [])
  }

  @Test("are not those of memlab") func catalog() { #expect(App.memlab.problems == []) }
}
