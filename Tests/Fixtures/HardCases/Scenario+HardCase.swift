import MemlabKit

extension Scenario {
  /// A scenario each of whose endings does in its second step what memlab has to withstand.
  ///
  /// - Parameters:
  ///   - id: its name.
  ///   - title: what its steps do.
  ///   - step: the name of the second step.
  ///   - actions: what that does, by the name of the ending.
  static func hardCase(
    _ id: String, _ title: String, step: String,
    _ actions: KeyValuePairs<String, @Sendable () -> Void>
  ) -> Scenario {
    Scenario(
      id: id, title: title, document: Document(file: "none.txt", title: "None"), place: "nowhere",
      lesson: "none", question: "What?", hint: "That.",
      endings: actions.map { name, action in
        Ending(name, title, expects: .nothing, explanation: "-") { lab in
          try lab.step("all is well") {}
          try lab.step(step, action)
        }
      })
  }
}
