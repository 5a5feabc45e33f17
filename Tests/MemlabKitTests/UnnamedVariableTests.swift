import TestSupport
import Testing

@Suite("A variable that holds an object", .needsHeap) struct UnnamedVariableTests {
  @Test("is in the picture if it has a name") func named() throws {
    let walk = try HardCases.run("walk", "unnamed", "--ending", "named")
    #expect(walk.exitCode == 0)
    #expect(walk.stdout.contains("Thing ← + variable thing\n"))
    #expect(walk.stdout.contains("Thing - gone\n"))
  }

  @Test("is in the picture without one, too") func plain() throws {
    let walk = try HardCases.run("walk", "unnamed", "--ending", "plain")
    #expect(walk.exitCode == 0)
    #expect(walk.stdout.contains("Thing ← + variable without a name\n"), "\(walk.stdout)")
    #expect(walk.stdout.contains("Thing - gone\n"))
  }

  @Test("is what an async step has returned") func result() throws {
    let walk = try HardCases.run("walk", "unnamed", "--ending", "result")
    #expect(walk.exitCode == 0)
    #expect(walk.stdout.contains("Thing ← + variable result\n"), "\(walk.stdout)")
    #expect(walk.stdout.contains("variable thing\n"))
  }

  @Test("has to have one in a check of every step") func everyStep() throws {
    let check = try HardCases.run("check", "unnamed", "--every-step")
    #expect(check.exitCode == 70)
    let sentence =
      "unnamed, ending 'plain', step 2: the witnesses disagree: Thing has a retain count of 1, but "
      + "0 strong references and 0 named variables were found to hold it (declare a local variable "
      + "that holds it as @Variable)"
    let text = check.stdout.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(sentence), "\(check.stdout)")
    #expect(text.contains("2 as declared, 0 not, 1 not measured"), "\(check.stdout)")
  }
}
