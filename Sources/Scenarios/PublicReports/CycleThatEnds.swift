import MemlabKit

extension Scenario {
  static let cycleThatEnds = Scenario(
    id: "cycle-that-ends",
    title: "a retain cycle for as long as a call lasts",
    document: .realmAsyncOpen,
    place: "its reviewer's answer",
    lesson: "08-leaks-people-had",
    question: "The opener stores the call, and the call's callback says self. Somebody proposes to "
      + "make it weak. What would that mend?",
    hint: "Run it with the opener dropped in the middle. What is left when the call is over?",
    next: "blocked-not-leaked",
    endings: [
      Ending(
        "done", "the call finishes, then the opener is dropped",
        expects: .opener(metrics: [:]),
        explanation: "The call lets go of its callback when it has called it. From then on there "
          + "is no cycle.",
        run: done),
      Ending(
        "late", "the opener is dropped, then the call finishes",
        expects: .opener(metrics: ["aliveMeanwhile": 1]),
        explanation: "Alive until the call has finished, as it must be for the callback to find "
          + "it, and gone after. A tool that looks in the middle reports a leak here.",
        claims: [
          Claim(
            "the cycle is only present until the open completes, then the blocks are released",
            original: "The retain cycle is only present until the async open completes (either "
              + "successfully or with an error), after which all of the blocks are released and "
              + "the cycle is eliminated."
          ) { $0.metric("aliveMeanwhile") == 1 && $0.object("Opener").alive == 0 },
          Claim(
            "without weak references this could lead to retain cycles and memory leaks",
            original: "The previous implementation did not use weak references, which could lead "
              + "to retain cycles and memory leaks.",
            .fails(because: "a retain cycle there was, and it ended with the call")
          ) { $0.totals.aliveObjects > 0 },
        ],
        run: late),
      Ending(
        "fail", "the opener is dropped, then the call fails",
        expects: .opener(metrics: ["aliveMeanwhile": 1]),
        explanation: "A call that fails calls back too. What counts is that each call ends, one "
          + "way or the other.",
        run: fail),
    ])

  @Sendable private static func done(_ lab: Lab) throws {
    let stage = try CycleThatEnds.Stage(lab)
    try lab.step("the call finishes") { stage.finish(succeeding: true) }
    try stage.dropOpener()
  }

  @Sendable private static func late(_ lab: Lab) throws {
    let stage = try CycleThatEnds.Stage(lab)
    try stage.dropOpener()
    stage.enterAlive()
    try lab.release("the call finishes") { stage.finish(succeeding: true) }
  }

  @Sendable private static func fail(_ lab: Lab) throws {
    let stage = try CycleThatEnds.Stage(lab)
    try stage.dropOpener()
    stage.enterAlive()
    try lab.release("the call fails") { stage.finish(succeeding: false) }
  }
}

extension Declaration {
  /// One opener and one call, both gone in the end.
  fileprivate static func opener(metrics: [Metric: Int]) -> Declaration {
    Declaration(
      .clean,
      objects: [
        ObjectCount("Opener", created: 1, deinitialized: 1),
        ObjectCount("Call", created: 1, deinitialized: 1),
      ],
      metrics: metrics)
  }
}

/// A call that is stored by whom it calls back.
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

  /// An opener, and the disk that works on its call.
  final class Stage {
    private let lab: Lab
    private var opener: Opener?
    private var underWay: Call?

    init(_ lab: Lab) throws {
      self.lab = lab
      try lab.step("an opener is created and opens") {
        opener = Opener()
        opener?.open { underWay = $0 }
      }
    }

    func finish(succeeding: Bool) {
      underWay?.finish(succeeding: succeeding)
      underWay = nil
    }

    func dropOpener() throws {
      try lab.release("the opener is dropped") { opener = nil }
    }

    func enterAlive() {
      lab.ledger.setMetric("aliveMeanwhile", lab.ledger.totals.object("Opener").alive)
    }
  }
}
