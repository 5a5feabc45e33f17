import MemlabKit

// The declarations name the field that holds a survivor, and a field's name is a library's own
// affair. Everything else that is declared must be measured here as it is there.
private let openCombineNames: [DeclaredHolder: DeclaredHolder] = [
  .field("state", of: "Assign"): .field("object", of: "Assign"),
  .field("state", of: "Sink"): .field("receiveValue", of: "Sink"),
  .field("transform", of: "FlatMapInner"): .field("map", of: "FlatMap.Outer"),
]

extension Scenario {
  /// The same, with OpenCombine's names for who holds what is left.
  var overOpenCombine: Scenario {
    Scenario(
      id: id, title: title, document: document, place: place, lesson: lesson, question: question,
      hint: hint, next: next, fixedBy: fixedBy, endings: endings.map(\.overOpenCombine),
      unforced: unforced)
  }
}

extension Ending {
  fileprivate var overOpenCombine: Ending {
    let held = expects.held.mapValues { openCombineNames[$0, default: $0] }
    let declared = expects.isBinding ? expects.with(held: held) : expects
    return Ending(
      name, title, expects: declared, explanation: explanation, claims: claims, judge: judge,
      run: run
    )
    .leaving(libraryTasks: libraryTasks)
  }
}
