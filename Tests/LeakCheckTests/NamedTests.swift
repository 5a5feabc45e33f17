import MemlabHeapModel
import Testing

@Suite("What is hard to name", .enabled(if: HeapRecording.isAvailable)) struct NamedTests {
  private static let output = Task { try await Fixture.run("LeakCheckTests.NamedFixtures") }

  private static let words = [
    "successors()": ["created in poll()"],
    "methodReference()": ["onTap → Panel.handleTap()", "captured → Panel"],
    "asyncMethodReference()": ["onLoad → Panel.load()", "captured → Panel"],
    "methodReferenceInAnOperator()": ["Panel.label(", "captured → Panel"],
    "closureInABox()": ["closure #1 in provide()", "captured → Panel"],
    "wordsThatAreNoReferences()": [
      "memory that was not read: the runtime counts 2 strong references to Panel, 0 were found"
    ],
    "valuesOfATaskLocal()": ["task-local value Backends.baggage["],
    // libdispatch names its threads, as far as a name is long: `oot.default-qos`.
    "blockOfAQueueThatWaits()": ["something may yet end it, such as a thread, but has not"],
    "threadOfAQueuesThread()": ["a variable of a thread, by way of "],
  ]

  @Test("has a name", arguments: words.keys.sorted()) func named(test: String) async throws {
    let text = try await Self.output.value.issues(of: test).joined(separator: "\n")
    for words in try #require(Self.words[test]) { #expect(text.contains(words), "\(text)") }
  }
}
