import MemlabKit

extension Scenario {
  /// `noncopyable-owner`: a noncopyable owner of a class reference.
  static let noncopyableOwner = Scenario(
    id: "noncopyable-owner", title: "a noncopyable owner of a class reference",
    document: .noncopyableLeak, place: "a noncopyable struct", lesson: "11-a-task-has-children",
    question: "A file has one owner, and holds its buffer. The file is closed. Is the buffer "
      + "deinitialised?",
    hint: "The file cannot be copied. Can its buffer be held by two?",
    beliefs: [
      .nobody("What has one owner is said to be gone with it."),
      .variable("People assume that the file was copied after all."),
    ],
    next: "stream-buffer",
    endings: [
      Ending(
        "consumed", "the file is closed",
        expects: .one(.clean, ["Buffer": nil], metrics: ["closed": 1]),
        explanation: "The file's deinit runs once, at the end of the call that consumes it, and "
          + "its buffer is released after it.",
        run: { try play($0) }),
      Ending(
        "shared", "a task holds the buffer, and the file is closed",
        expects: .one(
          .leak, ["Buffer": .task("flush")], finished: ["flush": 0], metrics: ["closed": 1]),
        explanation: "The file cannot be copied, but the reference to its buffer can. The file is "
          + "gone, and a task holds the buffer.",
        run: { try play($0, flushes: true) }
      )
      .asking("A task has captured the file's buffer. The file is closed. What is left?"),
    ])

  private static func play(_ lab: Lab, flushes: Bool = false) throws {
    let gate = Gate()
    try lab.step("a file is opened, used and closed") {
      let file = NoncopyableOwner.File()
      if flushes { file.flush(when: gate) }
      file.close()
    }
    lab.ledger.setMetric("closed", lab.ledger.notes(of: "closed"))
    withExtendedLifetime(gate) {}
  }
}

/// A file with one owner, whose buffer is a class.
enum NoncopyableOwner {
  // snippet:code
  final class Buffer: Sendable {
    private let probe = Probe(Buffer.self)
  }

  struct File: ~Copyable {
    private let buffer = Buffer()

    func flush(when ready: Gate) {
      Task(probe: "flush") { [buffer] in
        await ready.opened()
        withExtendedLifetime(buffer) {}
      }
    }

    consuming func close() {}

    deinit { Ledger.current?.note("closed") }
  }
  // snippet:end
}
