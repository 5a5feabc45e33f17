import MemlabKit

extension Scenario {
  /// `release-chain`: each step of a pipeline is captured by the next one.
  static let releaseChain = Scenario(
    id: "release-chain", title: "a chain that is released on the stack",
    document: .chainedWorkItems, place: "its chain of work items, rebuilt",
    lesson: "12-it-grows-and-nothing-leaks",
    question: "Each step of a pipeline captures the step before it. The pipeline is dropped. What "
      + "is released, and in which call?",
    hint: "An object is gone once what it held was released.",
    beliefs: [
      .nobody("Nothing refers to the pipeline that was dropped."),
      .cycle("A long chain is said to be a retain cycle."),
    ],
    next: "observation-again",
    endings: [
      Ending(
        "few", "a pipeline of 100 steps is dropped",
        expects: .several(.clean, ["Pipeline": (1, 1)]),
        explanation: "The pipeline releases the latest step, whose closure releases the one "
          + "before, and so on: 200 releases inside one another. The stack has room for that.",
        run: { try play($0, steps: 100) { $0.add() } }),
      Ending(
        "many", "the app keeps a pipeline of 100,000 steps",
        expects: .several(.leak, ["Pipeline": (1, 0)], held: ["Pipeline": .aGlobal]),
        explanation: "Nothing is wrong yet. The release would go 200,000 calls deep, and a "
          + "stack of 8 MB ends after 64,000 to 104,000 of these: the program would crash when it "
          + "cleans up.",
        run: { try play($0, steps: 100_000, isKept: true) { $0.add() } }
      )
      .asking("The app keeps a pipeline of 100,000 steps. What is alive?"),
      Ending(
        "finished", "each of 100,000 steps forgets its work once it has finished",
        expects: .several(.clean, ["Pipeline": (1, 1)]),
        explanation: "A step that has finished does not need the one before it. So the chain is "
          + "never longer than two steps.",
        run: { try play($0, steps: 100_000) { $0.addAfterFinishing() } }),
      Ending(
        "list", "100,000 steps in a property of their own type",
        expects: .several(.clean, ["Pipeline": (1, 1)]),
        explanation: "For a class with one optional property of its own type, the compiler makes a "
          + "deinit that takes the list apart in a loop. With a second such property, or a "
          + "property of another type, the releases go on inside one another.",
        run: { try play($0, steps: 100_000) { $0.link() } }),
    ])

  private static func play(
    _ lab: Lab, steps: Int, isKept: Bool = false, add: (ReleaseChain.Pipeline) -> Void
  ) throws {
    @Variable("pipeline") var pipeline: ReleaseChain.Pipeline?
    try lab.step("\(steps) steps are added, one after another") {
      let new = ReleaseChain.Pipeline()
      if isKept { AppWide.keep(new, for: lab.ledger) }
      for _ in 0..<steps { add(new) }
      pipeline = new
    }
    try lab.release("the pipeline is dropped") { pipeline = nil }
  }
}

/// A pipeline whose steps keep one another.
enum ReleaseChain {
  // snippet:code
  final class Step {
    private var work: (() -> Void)?

    init(after earlier: Step?) { work = { earlier?.finish() } }

    func finish() { work = nil }
  }

  final class Link {
    private let earlier: Link?

    init(after earlier: Link?) { self.earlier = earlier }
  }

  final class Pipeline {
    private var latest: Step?
    private var last: Link?
    private let probe = Probe(Pipeline.self)

    func add() { latest = Step(after: latest) }

    func addAfterFinishing() {
      latest?.finish()
      latest = Step(after: latest)
    }

    func link() { last = Link(after: last) }
  }
  // snippet:end
}
