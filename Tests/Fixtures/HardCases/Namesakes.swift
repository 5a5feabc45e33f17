import MemlabKit

/// Two tasks of one name that never finish.
enum Namesakes {
  final class Thing: Sendable {
    private let probe = Probe(Thing.self)
  }

  static let scenario = Scenario(
    id: "namesakes", title: "tasks of one name",
    document: Document(file: "none.txt", title: "None"),
    place: "nowhere", lesson: "none", question: "What?", hint: "That.",
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
