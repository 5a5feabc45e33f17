import MemlabKit

extension Scenario {
  /// `weak-test`: a test that waits a moment and then asks a weak reference.
  static let weakTest = Scenario(
    id: "weak-test", title: "a test that waits, then asks a weak reference",
    document: .skillMemory, place: "its unit test pattern", lesson: "12-it-grows-and-nothing-leaks",
    question: "The work takes 150 ms, and the test looks after 100 ms. Does it find a leak?",
    hint: "The test looks once. What can be true then that is not true in the end?",
    beliefs: [.cycle("A test that finds its object alive is said to have found a cycle.")],
    endings: [
      Ending(
        "slow", "the work takes 150 ms",
        expects: .one(
          .clean, ["ViewModel": nil], finished: ["work": 1], metrics: ["testPasses": 0]),
        explanation: "The test fails while the work runs. 50 ms later everything is deinitialised. "
          + "A slow machine is enough for that.",
        claims: [
          Claim(
            "ViewModel should be deallocated",
            .fails(because: "it should, but not within 100 ms: the test fails, and nothing leaks")
          ) { $0.metric("testPasses") == 1 },
          Claim("ViewModel stays alive until task completes") {
            $0.metric("testPasses") == 0 && $0.object("ViewModel").alive == 0
          },
        ],
        run: { try play($0) { $0.startWork($1) } }),
      Ending(
        "parked", "the model is weak, and its task waits forever",
        expects: .one(.leak, ["ViewModel": nil], finished: ["work": 0], metrics: ["testPasses": 1]),
        explanation: "The object is gone, so the test passes. The task is still there: it waits "
          + "for values that never come. A weak reference to an object says nothing of tasks.",
        run: { try play($0) { $0.startWeakly($1) } }
      )
      .asking("The model is deinitialised, and the test passes. Is everything gone?"),
    ])

  private static func play(
    _ lab: Lab, start: (WeakTest.ViewModel, HandTurnedClock) -> Void
  ) throws {
    let clock = HandTurnedClock()
    @Variable("viewModel") var viewModel: WeakTest.ViewModel?
    weak var weakViewModel: WeakTest.ViewModel?
    try lab.step("a model starts its work", until: lab.ledger.noted("sleeps", 1)) {
      viewModel = made(.init()) { start($0, clock) }
      weakViewModel = viewModel
    }
    try lab.release("the test drops it, and waits 100 ms") {
      viewModel = nil
      clock.turn(by: .milliseconds(100))
    }
    lab.ledger.setMetric("testPasses", weakViewModel == nil ? 1 : 0)
    try lab.release("50 ms later") { clock.turn(by: .milliseconds(50)) }
  }
}

/// A model under a test.
enum WeakTest {
  // snippet:code
  final class ViewModel {
    private var result = 0
    private let probe = Probe(ViewModel.self)

    func startWork(_ clock: HandTurnedClock) {
      Task(probe: "work") {
        try? await Task.sleep(for: .milliseconds(150), clock: clock)
        self.result += 1
      }
    }

    func startWeakly(_ clock: HandTurnedClock) {
      Task(probe: "work") { [weak self] in
        try? await Task.sleep(for: .milliseconds(150), clock: clock)
        let (values, _) = AsyncStream.makeStream(of: Int.self)
        for await value in values { self?.result += value }
      }
    }
  }
  // snippet:end
}
