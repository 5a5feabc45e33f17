import MemlabKit

extension Scenario {
  /// `cycle-that-ends`: a retain cycle for as long as a call lasts.
  static let cycleThatEnds = Scenario(
    id: "cycle-that-ends", title: "a retain cycle for as long as a call lasts",
    document: .realmAsyncOpen, place: "its reviewer's answer", lesson: "08-leaks-people-had",
    question: "The opener stores the call, and the call's callback captures self. Someone "
      + "proposes to make it weak. What would that fix?",
    hint: "Drop the opener in the middle of the call. What is left when the call is over?",
    beliefs: [
      .cycle("There is a circle while the call is under way, and people assume that it stays."),
      .task("A call is under way, and people assume that it is never over."),
    ], next: "blocked-not-leaked",
    endings: [
      Ending(
        "done", "the call finishes, then the opener is dropped",
        expects: .one(.clean, ["Opener": nil, "Call": nil]),
        explanation: "The call releases its callback after calling it. From then on there is no "
          + "cycle.",
        on: CycleThatEnds.Stage.init
      ) { [$0.finish, $0.dropOpener] },
      Ending(
        "late", "the opener is dropped, then the call finishes",
        expects: .one(.clean, ["Opener": nil, "Call": nil], metrics: ["aliveMeanwhile": 1]),
        explanation: "The opener stays alive until the call has finished, because the callback "
          + "needs it, and is deinitialised then. A tool that looks in the middle reports a leak "
          + "here.",
        on: CycleThatEnds.Stage.init
      ) { [$0.dropOpener, $0.enterAlive, $0.finishLate] }
      .claiming(
        "the cycle is only present until the open completes, then the blocks are released",
        original:
          "The retain cycle is only present until the async open completes (either successfully or "
          + "with an error), after which all of the blocks are released and the cycle is "
          + "eliminated."
      ) { $0.metric("aliveMeanwhile") == 1 && $0.object("Opener").alive == 0 }
      .claiming(
        "without weak references this could lead to retain cycles and memory leaks",
        original:
          "The previous implementation did not use weak references, which could lead to retain "
          + "cycles and memory leaks.",
        failsBecause: "there was a retain cycle, and it ended with the call"
      ) { $0.totals.aliveObjects > 0 },
      Ending(
        "fail", "the opener is dropped, then the call fails",
        expects: .one(.clean, ["Opener": nil, "Call": nil], metrics: ["aliveMeanwhile": 1]),
        explanation: "A call that fails also calls back. What matters is that every call ends.",
        on: CycleThatEnds.Stage.init
      ) { [$0.dropOpener, $0.enterAlive, $0.fail] },
    ])
}

/// A call that is stored by the object that it calls back.
enum CycleThatEnds {
  // snippet:code
  final class Opener {
    private var call: Call?
    private var isOpen = false
    private let probe = Probe(Opener.self)

    func open(on disk: (Call) -> Void) {
      let call = Call { self.isOpen = $0 }
      self.call = call
      disk(call)
    }
  }

  final class Call {
    private var completion: ((Bool) -> Void)?
    private let probe = Probe(Call.self)

    init(completion: @escaping (Bool) -> Void) { self.completion = completion }

    func finish(succeeding: Bool) {
      completion?(succeeding)
      completion = nil
    }
  }
  // snippet:end

  /// An opener, and the disk that does its call.
  final class Stage {
    private let lab: Lab
    @Variable("opener") private var opener: Opener?
    @Variable("underWay") private var underWay: Call?

    /// Creates an opener that opens.
    init(_ lab: Lab) throws {
      self.lab = lab
      try lab.step("an opener is created and opens") {
        opener = made(.init()) { $0.open { underWay = $0 } }
      }
    }

    /// Ends the call while the opener is there.
    func finish() throws { try lab.step("the call finishes") { end(succeeding: true) } }

    /// Ends the call when the opener was dropped.
    func finishLate() throws { try lab.release("the call finishes") { end(succeeding: true) } }

    /// Ends the call with an error when the opener was dropped.
    func fail() throws { try lab.release("the call fails") { end(succeeding: false) } }

    private func end(succeeding: Bool) {
      underWay?.finish(succeeding: succeeding)
      underWay = nil
    }

    /// Drops the opener.
    func dropOpener() throws { try lab.release("the opener is dropped") { opener = nil } }

    /// Records how many openers are alive.
    func enterAlive() {
      lab.ledger.setMetric("aliveMeanwhile", lab.ledger.totals.object("Opener").alive)
    }
  }
}
