import MemlabKit

extension Scenario {
  /// `inner-weak-outer-strong`: weak self in the inner closure alone.
  static let innerWeakOuterStrong = Scenario(
    id: "inner-weak-outer-strong", title: "weak self in the inner closure alone",
    document: .nestedWeakCapture, place: "its reproduction", lesson: "08-leaks-people-had",
    question: "A closure that uses self is created inside another one, which the editor stores. "
      + "One of the two captures [weak self]. The editor is dropped. Is it deinitialised?",
    hint: "A weak reference is made from a strong one. Where does the inner closure get that one?",
    beliefs: [
      .nobody("One of the two closures says [weak self]."),
      .variable(
        "The work list has run the inner closure, and people assume that it is kept there."),
    ], next: "cycle-that-ends",
    endings: [
      Ending(
        "inner", "weak in the inner closure; the editor is dropped",
        expects: .one(.leak, ["Editor": .field("onSave", of: "Editor")]),
        explanation: "The inner closure makes its weak reference from self, so the outer closure "
          + "captures self strongly. Nothing in the code says so.",
        run: { try play($0) { $0.saveWeaklyInside(on: $1) } }
      )
      .claiming(
        "the outer closure ends up capturing self strongly",
        original:
          "If there two nesting levels, and the `[weak self]` is declared in the inner capture "
          + "group, the outer closure ends up capturing `self` strongly"
      ) { $0.object("Editor").alive == 1 && ($0.cycles ?? 1) == 1 },
      Ending(
        "outer", "weak in the outer closure; the editor is dropped",
        expects: .one(.clean, ["Editor": nil]),
        explanation: "The outer closure captures self weakly, and the inner one copies the weak "
          + "reference.",
        run: { try play($0) { $0.saveWeaklyOutside(on: $1) } }),
    ])

  private static func play(
    _ lab: Lab, _ prepare: (InnerWeakOuterStrong.Editor, WorkList) -> Void
  ) throws {
    let work = WorkList()
    @Variable("editor") var editor: InnerWeakOuterStrong.Editor?
    try lab.step("an editor is created and prepared") {
      editor = made(.init()) { prepare($0, work) }
    }
    try lab.step("it saves") {
      editor?.onSave?()
      work.drain()
    }
    try lab.release("the editor is dropped") { editor = nil }
  }
}

/// A queue of work: each item is run in its turn, then removed.
typealias WorkList = Callbacks

/// A closure in a closure, with `[weak self]` in one of them.
enum InnerWeakOuterStrong {
  // snippet:code
  final class Editor {
    var onSave: (() -> Void)?
    private let probe = Probe(Editor.self)

    func saveWeaklyInside(on work: WorkList) {
      onSave = {
        work.add { [weak self] in self?.refresh() }
      }
    }

    func saveWeaklyOutside(on work: WorkList) {
      onSave = { [weak self] in
        work.add { [weak self] in self?.refresh() }
      }
    }

    private func refresh() { Ledger.current?.note("refreshed") }
  }
  // snippet:end
}
