import MemlabKit

extension Scenario {
  /// `weak-self-loop`: weak self, made strong again on each turn.
  static let weakSelfLoop = Scenario(
    id: "weak-self-loop", title: "weak self, made strong again on each turn",
    document: .asyncStreamMemory, place: "after step 2, fixed in the loop",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "The guard has moved into the loop. The owner is dropped. What is deinitialised at "
      + "once, and what later?",
    hint: "When does the scope of the local self end? And when does the loop check whether self "
      + "is still there?",
    beliefs: [.task("The task still waits, and people assume that it holds self while it does.")],
    fixedBy: "weak-self-and-cancel",
    endings: [
      Ending(
        "tick", "the owner is dropped, then the source ticks once more",
        expects: .one(.clean, ["Poller": nil], finished: ["loop": 1]),
        explanation: "The scope of the local self ends with each turn, so nothing holds the owner "
          + "while the loop waits. At the next tick the loop finds no owner and returns.",
        on: WeakSelfLoop.Stage.init
      ) { [$0.dropOwner, $0.tick] },
      Ending(
        "drop", "the owner is dropped, and no tick comes",
        expects: .one(.leak, ["Poller": nil], finished: ["loop": 0]),
        explanation: "The owner is deinitialised. The loop checks for it only when a tick "
          + "arrives, so it waits forever for a tick that never comes.",
        on: WeakSelfLoop.Stage.init
      ) { [$0.dropOwner] },
    ])
}

/// The second listing's guard, moved into the loop.
enum WeakSelfLoop {
  // snippet:code
  final class Poller {
    private let probe = Probe(Poller.self)

    func start(_ ticks: AsyncStream<Void>) {
      Task(probe: "loop") { [weak self] in
        for await _ in ticks {
          guard let self else { return }
          self.poll()
        }
      }
    }

    private func poll() { Ledger.current?.note("polled") }
  }
  // snippet:end

  /// A poller and the source of its ticks, with one tick sent through.
  final class Stage {
    private let source: AsyncStream<Void>.Continuation
    private let lab: Lab
    @Variable("poller") private var poller: Poller?

    /// Creates the poller, starts its loop, and sends one tick.
    init(_ lab: Lab) throws {
      let (ticks, source) = AsyncStream.makeStream(of: Void.self)
      self.lab = lab
      self.source = source
      try lab.step("the poller is created and starts") {
        poller = made(.init()) { $0.start(ticks) }
      }
      try lab.step("the source ticks", until: lab.ledger.noted("polled", 1)) { source.yield() }
    }

    /// Sends one tick more.
    func tick() throws { try lab.release("the source ticks once more") { source.yield() } }

    /// Drops the poller.
    func dropOwner() throws { try lab.release("the poller is dropped") { poller = nil } }
  }
}
