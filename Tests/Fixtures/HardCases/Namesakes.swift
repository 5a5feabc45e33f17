import MemlabKit

/// Two tasks of one name that never finish.
enum Namesakes {
  final class Thing: Sendable { private let probe = Probe(Thing.self) }

  static let scenario = Scenario(
    id: "namesakes", title: "tasks of one name",
    document: Document(file: "none.txt", title: "None"),
    endings: [
      ending("apart") {
        Task(probe: "worker") { await waitForResumption() }
        Task(probe: "worker") { await waitForElement() }
      },
      ending("together") {
        for _ in 0..<2 { Task(probe: "worker") { await waitForResumption() } }
      },
      ending("holder") {
        let thing = Thing()
        Task(probe: "worker") {
          await waitForElement()
          withExtendedLifetime(thing) {}
        }
        Task(probe: "worker") { await waitForResumption() }
      },
    ])

  private static func ending(_ name: String, start: @escaping @Sendable () -> Void) -> Ending {
    Ending(name, "two tasks wait forever", expects: .nothing, explanation: "-") { lab in
      try lab.step("two tasks start", start)
    }
  }

  @inline(never) private static func waitForResumption() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    Ledger.current?.note("resumed")
  }

  @inline(never) private static func waitForElement() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for await _ in stream { Ledger.current?.note("element") }
    continuation.finish()
  }
}

/// An object that is held by a variable, with and without a name.
enum Unnamed {
  private final class Thing { private let probe = Probe(Thing.self) }

  static let scenario = Scenario(
    id: "unnamed", title: "a variable that holds",
    document: Document(file: "none.txt", title: "None"),
    endings: [
      Ending("none", "there are no steps", expects: .nothing, explanation: "-") { _ in },
      Ending("named", "the variable has a name", expects: .nothing, explanation: "-") { lab in
        @Variable("thing") var thing: Thing?
        try lab.step("a thing is created") { thing = Thing() }
        try lab.step("the thing is dropped") { thing = nil }
      },
      Ending("plain", "the variable has none", expects: .nothing, explanation: "-") { lab in
        var thing: Thing?
        try lab.step("nothing is done") {}
        try lab.step("a thing is created") { thing = Thing() }
        try lab.step("the thing is dropped") { thing = nil }
        withExtendedLifetime(thing) {}
      },
      Ending("result", "an async step returns it", expects: .nothing, explanation: "-") { lab in
        @Variable("thing") var thing: Thing?
        thing = try lab.awaiting("a thing is created") { Thing() }
        try lab.step("nothing is done") {}
        try lab.step("the thing is dropped") { thing = nil }
      },
    ])
}

/// An async action that throws, and endings that expect that or do not.
enum Refusal {
  private struct Refused: Error {}

  static let scenario = Scenario(
    id: "refusal", title: "an action that throws",
    endings: [
      Ending("awaited", "nobody expects it", expects: .nothing, explanation: "-") { lab in
        try lab.step("all is well") {}
        try lab.awaiting("something is refused") { throw Refused() }
        try lab.step("nothing is done") {}
      },
      Ending("expected", "the first one is expected", expects: .nothing, explanation: "-") { lab in
        do {
          try lab.awaiting("something is refused") { throw Refused() }
        } catch is Refused {
          try lab.step("the refusal is shown") {}
        }
        try lab.step("something is refused at once") { throw Refused() }
      },
    ])

  /// Its results are recorded, where both of its endings can be measured.
  static let recorded = Scenario(
    id: "recorded", title: "an action that throws",
    endings: [
      Ending("quiet", "nothing is done") { lab in try lab.step("nothing is done") {} },
      Ending("refused", "something is refused") { lab in
        try lab.step("something is refused") { throw Refused() }
      },
    ])
}

extension Scenario {
  /// A scenario each of whose endings does in its second step what memlab has to withstand.
  ///
  /// - Parameters:
  ///   - id: its name.
  ///   - title: what its steps do.
  ///   - step: the name of the second step.
  ///   - actions: what that does, by the name of the ending.
  static func hardCase(
    _ id: String, _ title: String, step: String,
    _ actions: KeyValuePairs<String, @Sendable () -> Void>
  ) -> Scenario {
    Scenario(
      id: id, title: title, document: Document(file: "none.txt", title: "None"),
      endings: actions.map { name, action in
        Ending(name, title, expects: .nothing, explanation: "-") { lab in
          try lab.step("all is well") {}
          try lab.step(step, action)
        }
      })
  }
}
