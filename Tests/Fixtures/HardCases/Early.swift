import MemlabKit
import Synchronization

/// A load that leaves its loader in a registry when it is cancelled, which no ending does.
enum Early {
  static let scenario = Scenario(
    id: "cancelled-early", title: "a load is in a registry until its answer comes",
    endings: [
      Ending(
        "once", "the answer comes",
        expects: Declaration(
          .clean, objects: [ObjectCount("Loader", created: 1, deinitialized: 1)],
          tasks: [TaskCount("load", started: 1, finished: 1)])
      ) { lab in
        let answer = Answer()
        try lab.step("a load begins") { Loader().begin(answer) }
        try lab.step("the answer comes") { answer.come() }
      }
    ]
  ).knowing(["once 1:stop": "the answer never comes"])
}

enum EarlyRegistry { static let entries = Mutex<[Loader]>([]) }

final class Loader: Sendable {
  private let probe = Probe(Loader.self)

  func begin(_ answer: Answer) {
    EarlyRegistry.entries.withLock { $0.append(self) }
    let wait = answer.wait
    Task(probe: "load") {
      for await _ in wait {}
      guard !Task.isCancelled else { return }
      EarlyRegistry.entries.withLock { $0 = [] }
    }
  }
}

/// An answer, which also comes when nobody can give it any more.
final class Answer: Sendable {
  let wait: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (wait, continuation) = AsyncStream.makeStream() }

  deinit { continuation.finish() }

  func come() { continuation.finish() }
}
