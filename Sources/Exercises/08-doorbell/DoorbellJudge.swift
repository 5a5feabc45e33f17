import MemlabKit

/// What the judge needs of a doorbell.
package protocol DoorbellUnderStudy: AnyObject, Sendable {
  /// A bell without visitors.
  init()
  /// Returns when the bell has rung.
  func wait() async
  /// Rings: the waiting visitor goes on.
  func ring()
}

extension Exercise {
  /// Exercise 08, judging this doorbell.
  package static func doorbell<Bell: DoorbellUnderStudy>(_ type: Bell.Type) -> Exercise {
    Exercise(
      number: "08", title: "a doorbell that never rings", lesson: "08-leaks-people-had",
      file: "08-doorbell/Doorbell.swift",
      hint: "Cancelling only sets a flag. Some code must check it, or be called: see "
        + "withTaskCancellationHandler. Do not forget the visitor who is cancelled before the "
        + "wait begins.",
      endings: [
        ending(type, "ring", "the bell rings") { lab, visitor, bell in
          try lab.step("the bell rings") { bell.ring() }
        },
        ending(type, "cancel", "the visitor is cancelled while waiting") { lab, visitor, _ in
          try lab.release("the visitor is cancelled") { visitor.cancel() }
        },
        ending(type, "early", "the visitor is cancelled before waiting", early: true) { _, _, _ in
        },
        rung(type),
      ])
  }

  // Code that resumes a visitor but keeps its continuation resumes it again here, and traps.
  private static func rung<Bell: DoorbellUnderStudy>(_ type: Bell.Type) -> Ending {
    Ending(
      "rung", "the bell rings when each of two visitors was cancelled",
      expects: solved(visitors: 2),
      explanation: "A visitor who has left is not resumed again."
    ) { lab in
      var bell: Bell? = Bell()
      for early in [false, true] {
        guard let bell else { return }
        var visitor: Task<Void, Never>?
        try lab.step("a visitor comes") {
          visitor = Task(probe: "visitor") { await bell.wait() }
          if early { visitor?.cancel() }
        }
        try lab.release("the visitor is cancelled") { visitor?.cancel() }
        try lab.step("the bell rings") { bell.ring() }
      }
      try lab.release("the bell is dropped") { bell = nil }
    }
  }

  private static func solved(visitors: Int) -> Declaration {
    Declaration(
      .clean, objects: [ObjectCount("Doorbell", created: 1, deinitialized: 1)],
      tasks: [TaskCount("visitor", started: visitors, finished: visitors)])
  }

  private static func ending<Bell: DoorbellUnderStudy>(
    _ type: Bell.Type, _ name: String, _ title: String, early: Bool = false,
    _ act: @escaping @Sendable (Lab, Task<Void, Never>, Bell) throws -> Void
  ) -> Ending {
    Ending(
      name, title, expects: solved(visitors: 1),
      explanation: "Nobody waits any more, and the bell is deinitialised with its last reference."
    ) { lab in
      var (bell, visitor): (Bell?, Task<Void, Never>?)
      try lab.step(early ? "a visitor comes, and is cancelled at once" : "a visitor waits") {
        let newBell = Bell()
        visitor = Task(probe: "visitor") { await newBell.wait() }
        if early { visitor?.cancel() }
        bell = newBell
      }
      if let bell, let visitor { try act(lab, visitor, bell) }
      try lab.release("the bell is dropped") { (bell, visitor) = (nil, nil) }
    }
  }
}
