import MemlabKit

extension Scenario {
  /// `queue-backlog`: a block on a queue for each piece of data.
  static let queueBacklog = Scenario(
    id: "queue-backlog", title: "a block on a queue for each piece of data",
    document: .blockForEachChunk, place: "its pipe, rebuilt",
    lesson: "12-it-grows-and-nothing-leaks",
    question: "A reader puts a block on a busy queue for each chunk. It is dropped before the "
      + "queue comes to them. What is alive?",
    hint: "What does a block that waits in a queue hold?",
    beliefs: [
      .nobody("The reader was dropped, and nobody stores the blocks."),
      .cycle("Memory that grows is said to be a retain cycle."),
    ],
    next: "release-chain",
    endings: [
      Ending(
        "behind", "the reader is dropped, then the queue comes to its blocks",
        expects: .several(
          .clean, ["Reader": (1, 1), "Chunk": (5, 5)], metrics: ["waiting": 5, "handled": 5]),
        explanation: "Five chunks and their reader live until the queue has called the last block. "
          + "It grows while the queue is behind, and ends by itself when the queue catches up.",
        run: { try play($0, { $0.read(into: $1) }) { $0.drain() } }),
      Ending(
        "stuck", "the queue never comes to them",
        expects: .several(
          .leak, ["Reader": (1, 0), "Chunk": (5, 0)], metrics: ["waiting": 5, "handled": 0],
          held: ["Reader": .aGlobal, "Chunk": .aGlobal]),
        explanation: "The queue lives as long as the app. What waits in it is held by it, however "
          + "short the block is.",
        run: { try play($0, { $0.read(into: $1) }) { _ in } }),
      Ending(
        "latest", "one block for all chunks that have come",
        expects: .several(
          .clean, ["Reader": (1, 1), "Chunk": (5, 5)], metrics: ["waiting": 1, "handled": 1]),
        explanation: "A block is put on the queue only if none waits. It takes the chunk that has "
          + "come last: memory is bounded, whatever the queue does.",
        run: { try play($0, { $0.readLatest(into: $1) }) { $0.drain() } }
      )
      .asking("The reader adds a block only if none waits. How many chunks are alive at most?"),
    ])

  private static func play(
    _ lab: Lab, _ read: (QueueBacklog.Reader, Callbacks) -> Void, end: (Callbacks) -> Void
  ) throws {
    let queue = AppWide.keep(Callbacks(), for: lab.ledger)
    @Variable("reader") var reader: QueueBacklog.Reader?
    try lab.step("five chunks come, and the queue is busy") {
      reader = QueueBacklog.Reader()
      for _ in 1...5 { reader.map { read($0, queue) } }
    }
    lab.ledger.setMetric("waiting", lab.ledger.totals.object("Chunk").alive)
    try lab.release("the reader is dropped") { reader = nil }
    try lab.release("time passes") { end(queue) }
    lab.ledger.setMetric("handled", lab.ledger.notes(of: "handled"))
  }
}

/// A reader that hands its chunks to a queue.
enum QueueBacklog {
  // snippet:code
  final class Chunk {
    private let probe = Probe(Chunk.self)
  }

  final class Reader {
    private var latest: Chunk?
    private let probe = Probe(Reader.self)

    func read(into queue: Callbacks) {
      let chunk = Chunk()
      queue.add { self.handle(chunk) }
    }

    func readLatest(into queue: Callbacks) {
      let isWaiting = latest != nil
      latest = Chunk()
      guard !isWaiting else { return }
      queue.add { self.latest.take().map(self.handle) }
    }

    private func handle(_ chunk: Chunk) { Ledger.current?.note("handled") }
  }
  // snippet:end
}
