import MemlabKit
import Observation

extension Scenario {
  /// `observation-again`: a tracking closure that registers itself again.
  static let observationAgain = Scenario(
    id: "observation-again", title: "a tracking closure that registers again",
    document: .skillObservation, place: "withObservationTracking",
    lesson: "12-it-grows-and-nothing-leaks",
    question: "A panel tracks its model, and tracks it again after each change. Both are dropped. "
      + "Who holds them?",
    hint: "Where is the onChange closure until the next change?",
    beliefs: [
      .nobody("onChange is called once, and people assume that nobody keeps it."),
      .task("Each change starts a task, which tracks again."),
    ],
    next: "notification-block",
    endings: [
      Ending(
        "again", "onChange captures the panel, and registers again after each change",
        expects: .several(
          .leak, ["Model": (1, 0), "Panel": (1, 0)], tasks: ["show": (2, 2)],
          metrics: ["shown": 2], held: ["Model": .aCycle, "Panel": .aCycle]),
        explanation: "The model keeps the closure until its next change, the closure holds the "
          + "panel, and the panel holds the model. Each change opens this cycle and closes it "
          + "again.",
        run: { try play($0) { $0.track() } }),
      Ending(
        "once", "onChange captures the panel, and does not register again",
        expects: .one(
          .clean, ["Model": nil, "Panel": nil], finished: ["show": 1], metrics: ["shown": 1]),
        explanation: "The first change calls the closure and releases it: no cycle is left, and "
          + "the second change shows nothing.",
        claims: [
          Claim(
            "`withObservationTracking` fires `onChange` only once per cycle, so the closure has to "
              + "re-register itself to keep observing"
          ) { $0.metric("shown") == 1 }
        ],
        run: { try play($0) { $0.trackOnce() } }
      )
      .asking("The closure does not register again, and a change comes. Who holds the panel then?"),
      Ending(
        "weak", "onChange captures the panel weakly, and registers again",
        expects: .several(
          .clean, ["Model": (1, 1), "Panel": (1, 1)], tasks: ["show": (2, 2)],
          metrics: ["shown": 2]),
        explanation: "The model keeps the closure, and the closure holds nobody.",
        run: { try play($0) { $0.trackWeakly() } }),
    ])

  private static func play(_ lab: Lab, track: @escaping (ObservationAgain.Panel) -> Void) throws {
    let ledger = lab.ledger
    @Variable("model") var model: ObservationAgain.Model?
    @Variable("panel") var panel: ObservationAgain.Panel?
    try lab.step("a panel tracks its model") {
      model = ObservationAgain.Model()
      panel = model.map { made(ObservationAgain.Panel($0), track) }
    }
    for change in ["the model changes", "the model changes again"] {
      try lab.step(change) { model?.query += "a" }
    }
    ledger.setMetric("shown", ledger.notes(of: "shown"))
    try lab.release("both are dropped") {
      panel = nil
      model = nil
    }
  }
}

/// A panel that shows what its model says.
enum ObservationAgain {
  // snippet:code
  @Observable final class Model {
    var query = ""
    @ObservationIgnored private let probe = Probe(Model.self)
  }

  final class Panel {
    private let model: Model
    private let probe = Probe(Panel.self)

    init(_ model: Model) { self.model = model }

    func track() {
      withObservationTracking {
        _ = model.query
      } onChange: {
        Task(probe: "show") {
          self.show()
          self.track()
        }
      }
    }

    func trackOnce() {
      withObservationTracking {
        _ = model.query
      } onChange: {
        Task(probe: "show") { self.show() }
      }
    }

    func trackWeakly() {
      withObservationTracking {
        _ = model.query
      } onChange: { [weak self] in
        Task(probe: "show") {
          self?.show()
          self?.trackWeakly()
        }
      }
    }

    private func show() { Ledger.current?.note("shown") }
  }
  // snippet:end
}
