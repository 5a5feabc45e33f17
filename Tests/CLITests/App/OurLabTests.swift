import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabTerminalText
import MemlabWitness
import TestSupport
import Testing

@Suite("A program with scenarios of its own") struct OurLabTests {
  private static func run(_ words: [String]) throws -> ProgramResult {
    try MemlabBinary.run(words, of: "OurLab")
  }

  private static let scenario = "cart-reservation"

  @Test(
    "has the whole command line, under its own name",
    arguments: [
      [], ["list"], ["list", "--format", "json"], [scenario], [scenario, "--format", "json"],
      ["walk", scenario], ["matrix"], ["matrix", "own"], ["film", scenario],
      ["report", "--html", "-"], ["show", scenario],
      ["hint", scenario], ["hint", "chat-reconnect"], ["compare", scenario, "\(scenario)-weak"],
      ["completions", "bash"], ["man"], ["help"], ["help", scenario], ["help", "check"],
      ["check"], ["check", "--format", "junit"],
    ])
  func commands(words: [String]) throws { try Self.expectOutput(of: words) }

  @Test("tries all orders", .needsVirtualTime, arguments: [[scenario], ["check"]])
  func schedules(words: [String]) throws {
    try Self.expectOutput(of: words + ["--schedules", "all"])
  }

  @Test("has a name for every variable, at each step", .needsHeap)
  func everyStep() throws { try Self.expectOutput(of: ["check", "--every-step"]) }

  @Test("draws who holds whom", .needsHeap)
  func graph() throws { try Self.expectOutput(of: ["graph", Self.scenario]) }

  private static func expectOutput(of words: [String]) throws {
    let result = try run(words).exits(0)
    #expect(result.stdout != "")
    // The name of memlab stands where memlab itself is meant, and in the names of schemas.
    #expect(!result.stdout.contains("memlab \(scenario)"))
    #expect(!result.stdout.contains("'memlab "))
    #expect(!result.stdout.contains("Lessons/"))
  }

  @Test("measures the same on the pool") func pool() throws {
    try Self.run(["check", "--scheduler", "pool"]).exits(0)
  }

  @Test(
    "has no commands that are memlab's alone", arguments: ["lesson", "exercise", "site", "watch"])
  func course(word: String) throws {
    try Self.run([word]).exits(64).complains("'\(word)' is a command of memlab itself")
    for page in [["help"], ["man"], ["completions", "bash"], ["completions", "fish"]] {
      let text = try Self.run(page).stdout
      #expect(!text.contains("our-lab \(word)") && !text.contains("\n  \(word) "), "\(page)")
      #expect(!text.contains(" -a \(word) "), "\(page)")
    }
  }

  @Test("says where a scenario comes from, and where to read more, if its author does")
  func origin() throws {
    let cart = try Self.run([Self.scenario]).stdout
    #expect(cart.contains("\nIncident 118: carts that stay · as it was deployed\nNotes/carts.md\n"))
    let chat = try Self.run(["chat-reconnect"]).says("\nOurLab\n", "\n  ending leave").stdout
    #expect(chat.hasPrefix("chat-reconnect · a chat that joins again when its line drops"))
  }
}

@Suite("Scenarios that nobody has tested") struct AppProblemTests {
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
      ([scenario("a;b")], "The id 'a;b' cannot be typed as one word"),
      ([scenario("a", endings: [])], "The scenario 'a' has no endings."),
      ([scenario("a", endings: ["x", "x"])], "The scenario 'a' has two endings 'x'."),
      ([scenario("a", next: "b")], "The scenario 'a' points to 'b', which is not there."),
    ])
  func refused(scenarios: [Scenario], sentence: String) {
    let app = App(name: "our-lab", scenarios: scenarios, heap: RealHeap.self)
    #expect(app.problems.count == 1)
    #expect(app.problems.first?.hasPrefix(sentence) == true, "\(app.problems)")
    let page = Page()
    #expect(Memlab(session: page.session(app)).runUntested(["list"]) == .usage)
    #expect(page.errors.hasPrefix("Error: \(sentence)"))
    #expect(page.output == "")
  }

  @Test("are not run, nor listed, where what was typed cannot be read") func withoutWords() {
    let page = Page()
    let program = Memlab(session: page.session([Self.scenario("a")]))
    #expect(program.run(nil) == .untrusted)
    #expect(program.runUntested(nil) == .untrusted)
    let error = "Error: what was typed cannot be read; on Linux, mount /proc and try again\n"
    #expect(page.errors == error + error)
    #expect(page.output == "")
  }

  @Test("may have the name of a command that they have not") func courseCommands() {
    #expect(App(scenarios: [Self.scenario("lesson")], heap: RealHeap.self).problems == [])
  }

  @Test("are not those of memlab") func catalog() { #expect(App.memlab.problems == []) }
}
