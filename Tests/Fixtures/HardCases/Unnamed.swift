import MemlabKit

/// An object that is held by a variable, with and without a name.
enum Unnamed {
  private final class Thing {
    private let probe = Probe(Thing.self)
  }

  static let scenario = Scenario(
    id: "unnamed", title: "a variable that holds",
    document: Document(file: "none.txt", title: "None"),
    place: "nowhere", lesson: "none", question: "What?", hint: "That.",
    endings: [
      Ending("named", "the variable has a name", expects: .nothing, explanation: "-") { lab in
        @Variable("thing") var thing: Thing?
        try lab.step("a thing is created") { thing = Thing() }
        try lab.step("the thing is dropped") { thing = nil }
      },
      Ending("plain", "the variable has none", expects: .nothing, explanation: "-") { lab in
        var thing: Thing?
        try lab.step("nothing is done") {}
        try lab.step("a thing is created") { thing = Thing() }
        try lab.step("the thing is dropped") { thing = nil }
        withExtendedLifetime(thing) {}
      },
      Ending("result", "an async step returns it", expects: .nothing, explanation: "-") { lab in
        @Variable("thing") var thing: Thing?
        thing = try lab.awaiting("a thing is created") { Thing() }
        try lab.step("nothing is done") {}
        try lab.step("the thing is dropped") { thing = nil }
      },
    ])
}
