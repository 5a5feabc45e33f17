import TestSupport
import Testing

@Suite("A variable that holds an object", .needsHeap)
struct UnnamedVariableTests {
  @Test("is in the picture if it has a name")
  func named() throws {
    let walk = try HardCases.run("walk", "unnamed", "--ending", "named")
    #expect(walk.exitCode == 0)
    #expect(walk.stdout.contains("Thing ← + variable thing\n"))
    #expect(walk.stdout.contains("Thing - gone\n"))
  }

  @Test("is missed if it has none, and there is a sentence in place of a picture")
  func plain() throws {
    let walk = try HardCases.run("walk", "unnamed", "--ending", "plain")
    #expect(walk.exitCode == 70)
    let sentence =
      "unnamed, ending 'plain', step 2: the witnesses disagree: Thing has a retain count of 1, but "
      + "0 strong references and 0 named variables were found to hold it"
    #expect(walk.stderr.contains(sentence), "\(walk.stderr)")
  }
}
