import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("The exit code") struct ExitCodeTests {
  @Test(
    "is 0 for every scenario, leaks on purpose included", arguments: Catalog.scenarios.map(\.id))
  func success(scenario: String) throws {
    try FirstRuns.text(of: scenario).exits(0).complainsOfNothing()
  }

  @Test(
    "is 0 for what only tells",
    arguments: [
      [], ["lesson"], ["lesson", "2"], ["lesson", "combine"], ["lesson", "strong-self"], ["--help"],
      ["help", "run"], ["--version"], ["list"], ["run", "--help"],
    ])
  func telling(words: [String]) throws {
    #expect(try MemlabBinary.run(words).exits(0).complainsOfNothing().stdout != "")
  }

  @Test("is 64 for a step that an ending does not have", .needsHeap) func noSuchStep() throws {
    let words = ["graph", "retain-cycle", "--ending", "drop", "--step", "4"]
    try MemlabBinary.run(words).exits(64).saysNothing().complains(
      "'4' is invalid for '--step <n>'. Give a whole number from 1 to 3.")
    let graph = ["graph", "unnamed", "--ending", "none", "--step", "1"]
    try MemlabBinary.run(graph, of: "HardCases").exits(64).complains("The ending has no steps.")
  }

  private static let misunderstood: KeyValuePairs<[String], String> = [
    ["strong-slef"]: "Did you mean 'strong-self'?",
    ["chekc"]: "Did you mean 'check'?",
    ["run"]: "Missing expected argument '<scenario>'",
    ["strong-self", "--ending", "nope"]: "Choose one of: cancel, drop, finish.",
    ["strong-self", "--endign", "drop"]: "Did you mean '--ending'?",
    ["strong-self", "--threads", "free"]: "has no racing threads to set free",
    ["check", "--ending", "cancle"]:
      "No scenario has an ending 'cancle'. See 'memlab matrix'. Did you mean 'cancel' or 'cycle'?",
    ["check", "strong-slef"]: "Did you mean 'strong-self'?",
    ["strong-self", "--scheduler", "poll"]: "Choose one of: virtual, pool.",
    ["matrix", "straem"]: "Choose one of: arc, stream, ",
    ["compare", "strong-self"]: "Missing expected argument '<right>'",
    ["compare", "strong-self", "struct-inout-race"]: "cancel, drop, finish, and shared, copied.",
    ["stream"]:
      "'stream' is a family of scenarios, and not one of them. See 'memlab matrix stream'.",
    ["check", "stream"]: "not one of them. Give '--family stream'.",
    ["report"]: "Missing expected argument '--html <file>'",
    ["compare", "strong-self", "on-termination", "--ending", "x"]: "Choose one of: cancel, drop,",
    ["show"]: "Missing expected argument '<scenario>'",
    ["hint", "01"]: "'01' is not a scenario. Exercises have numbers: 'memlab exercise hint",
    ["run", "02"]: "have numbers: 'memlab lesson 02', 'memlab exercise 02'.",
    ["hint", "strong-slef"]: "Did you mean 'strong-self'?",
    ["lesson", "99"]: "There is no lesson '99'. See 'memlab lesson'",
    ["lesson", "s"]: "'s' could be several lessons: ",
    ["strong-self", "--instances", "2", "--cost"]: "Give '--instances' or '--cost', not both.",
    ["struct-inout-race", "--threads", "free", "--ending", "nosuch"]:
      "Give '--ending' or '--threads', not both.",
    ["strong-self", "--rounds", "3"]: "how many rounds '--instances' takes. Give both.",
    ["", "strong-self"]: "'' is not a scenario or a command.",
  ]

  @Test(
    "is 64 for what cannot be understood, and nothing is run",
    arguments: misunderstood.map { ($0.key, $0.value) })
  func usage(words: [String], sentence: String) throws {
    let run = try MemlabBinary.run(words).exits(64).saysNothing().complains(
      sentence, "\nUsage: memlab")
    #expect(run.stderr.hasPrefix("Error: "))
  }

  @Test("is 64 for what does not go with an order of the jobs", .needsVirtualTime)
  func order() throws {
    try usage(
      words: ["strong-self", "--schedules", "3", "--cost"],
      sentence: "Give '--schedules' or '--cost', not both.")
  }

  @Test(
    "is 74 when the disk is full",
    arguments: [
      ["strong-self"], ["strong-self", "--format", "json"], ["check"], ["list"], [],
      ["check", "retain-cycle", "--format", "junit"], ["check", "retain-cycle", "--format", "tap"],
    ])
  func fullDisk(words: [String]) throws {
    let run = try MemlabBinary.run(words, stdout: .file("/dev/full")).exits(74)
    #expect(run.stderr == "Error: The output could not be written: No space left on device.\n")
  }

  @Test(
    "tells what was measured even if nobody reads on, without a word",
    arguments: [["strong-self"], ["check"], ["list"]])
  func closedPipe(words: [String]) throws {
    try MemlabBinary.run(words, stdout: .closedPipe).exits(0).complainsOfNothing()
  }
}
