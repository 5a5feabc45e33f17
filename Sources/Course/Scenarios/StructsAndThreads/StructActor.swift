import MemlabKit

extension Scenario {
  /// `struct-actor`: an actor owns the struct.
  static let structActor = Scenario(
    id: "struct-actor", title: "an actor owns the struct", document: .structsAndThreads,
    place: "a way out that it does not name", lesson: "06-a-struct-is-not-a-lock",
    question: "Ten tasks call a method of the actor that owns the point. What is the final value "
      + "of the point?",
    hint: "An actor runs one call at a time. What holds the actor while a call waits?",
    beliefs: [.task("Ten tasks have called the actor.")],
    next: "struct-actor-await",
    endings: [
      Ending(
        "called", "ten tasks call the actor, then it is dropped",
        expects: .owner(.clean, lost: 0, finalX: 11),
        explanation: "The method has no await, so no other call runs between its first line and "
          + "its last. Each call starts from the value that the call before has written."
      ) { lab in
        let seen = Results()
        @Variable("owner") var owner: StructActor.PointOwner? = StructActor.PointOwner()
        try lab.step("ten tasks call the actor", until: lab.ledger.allTasksFinished) {
          StructActor.call(owner, seen)
        }
        try lab.release("the actor is dropped") { owner = nil }
        seen.enter(into: lab)
      }
      .claiming(
        "if two threads access an object at the same time, there are side effects",
        original: "만약 두 개의 스레드에서 동시에 객체에 접근한다면 side-effect가 생길것이다",
        failsBecause: "an actor is an object, and no two calls are inside at the same time"
      ) { $0.metric(.lostUpdates) > 0 },
      Ending(
        "dropped", "the actor is dropped while ten calls wait for their turn",
        expects: .owner(.clean, lost: 0, finalX: 11),
        explanation: "A task that waits for an actor holds it. The last call releases the last "
          + "reference. No update is lost, and nothing stays alive."
      ) { lab in
        let seen = Results()
        try lab.release(
          "ten tasks call the actor, and it is dropped", until: lab.ledger.allTasksFinished
        ) { StructActor.call(StructActor.PointOwner(), seen) }
        seen.enter(into: lab)
      }
      .asking(
        "The actor is dropped while ten calls wait for their turn. How many of them still reach "
          + "the point?"),
    ])
}

extension Declaration {
  /// The counts of one actor that ten tasks call.
  static func owner(_ verdict: Verdict, lost: Int, finalX: Int) -> Declaration {
    .several(
      verdict, ["PointOwner": (1, 1)], tasks: ["writer": (10, 10)],
      metrics: ["writers": 10, .lostUpdates: lost, "finalX": finalX])
  }
}

/// The document's point, with an actor in place of its queue.
enum StructActor {
  /// The document's point.
  typealias Point = StructInoutRace.Point

  // snippet:code
  actor PointOwner {
    private var point = Point(x: 1, y: 1)
    private let probe = Probe(PointOwner.self)

    func modify() -> Int {
      point.update()
      return point.x
    }
  }
  // snippet:end

  /// Starts ten tasks that call the actor.
  static func call(_ owner: PointOwner?, _ seen: Results) {
    for _ in 0..<10 {
      Task(probe: "writer") {
        if let owner { seen.add(await owner.modify()) }
      }
    }
  }
}
