import MemlabKit

/// An async action that throws, and endings that expect that or do not.
enum Refusal {
  private struct Refused: Error {}

  static let scenario = Scenario(
    id: "refusal", title: "an action that throws",
    endings: [
      Ending("awaited", "nobody expects it", expects: .nothing, explanation: "-") { lab in
        try lab.step("all is well") {}
        try lab.awaiting("something is refused") { throw Refused() }
        try lab.step("nothing is done") {}
      },
      Ending("expected", "the first one is expected", expects: .nothing, explanation: "-") { lab in
        do {
          try lab.awaiting("something is refused") { throw Refused() }
        } catch is Refused {
          try lab.step("the refusal is shown") {}
        }
        try lab.step("something is refused at once") { throw Refused() }
      },
    ])

  /// Its results are recorded, where both of its endings can be measured.
  static let recorded = Scenario(
    id: "recorded", title: "an action that throws",
    endings: [
      Ending("quiet", "nothing is done") { lab in try lab.step("nothing is done") {} },
      Ending("refused", "something is refused") { lab in
        try lab.step("something is refused") { throw Refused() }
      },
    ])
}
