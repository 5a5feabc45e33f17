import MemlabKit

extension Scenario {
  /// `struct-lock`: a lock around the whole change.
  static let structLock = Scenario(
    id: "struct-lock", title: "a lock around the whole change", document: .structsAndThreads,
    place: "the first of its two ways out", lesson: "06-a-struct-is-not-a-lock",
    question: "The same ten writers, with a lock around the whole of each change. Is any change "
      + "lost now?",
    hint: "Each writer reads after the one before has written. How many different values are read?",
    beliefs: [.variable("Ten threads had a copy of the struct.")],
    next: "accessor-lock",
    endings: [
      Ending(
        "point", "ten writers modify the same point, one after another",
        expects: Declaration(
          .clean, metrics: ["writers": 10, .lostUpdates: 0, "finalX": 11, "finalY": 11]),
        explanation: "The lock is held from the read to the write, so no writer starts from a "
          + "value that another writer is about to replace. All ten updates arrive.",
        claims: [needsLock],
        run: StructLock.point),
      Ending(
        "object", "ten writers append to the name in the object, one after another",
        expects: .names(.clean, writers: 10, lost: 0, length: 13),
        explanation: "The lock is in the object, beside the name that it protects, so all structs "
          + "that hold the object use the same lock. A lock in the struct could be different in "
          + "each copy.",
        run: StructLock.object
      )
      .claiming(
        "even a struct needs a disciplined approach to be safe",
        original: "구조체를 사용하더라도 안전하게 만들기 위해 규율있는 접근법이 필요하다"
      ) { $0.metric(.lostUpdates) == 0 },
    ])

  private static let needsLock = Claim(
    "to use a struct in a thread-safe way takes a lock, or a copy to work on",
    original: "구조체도 thread-safe하게 사용하려면 lock을 걸어놓는다거나 값을 복사해놓고 사용하는 등"
  ) { $0.metric(.lostUpdates) == 0 && $0.metric("finalX") == 11 }
}

/// The document's two examples with a lock.
enum StructLock {
  /// The document's point.
  typealias Point = StructInoutRace.Point

  private static let writers = 10

  /// Ten writers modify one point under a lock.
  @Sendable static func point(_ lab: Lab) throws {
    let point = Held(Point(x: 1, y: 1), writers: writers)
    let lock = WriterLock(around: point)
    try lab.onThreads(
      writers, "ten threads modify the point", with: point, noting: "points written:"
    ) { modify($0, lock) }
    lab.ledger.setMetrics(of: point.current, writers: writers)
  }

  // snippet:point
  static func modify(_ point: Held<Point>, _ lock: WriterLock) {
    lock.withLock {
      point.value.update()
    }
  }
  // snippet:end

  // snippet:object
  struct ValueType {
    let name: String
    let referenceType: ReferenceType
  }

  class ReferenceType {
    @Held private(set) var name: String
    private let lock: WriterLock
    private let probe = Probe(ReferenceType.self)

    init(name: String, writers: Int) {
      let held = Held(name, writers: writers)
      _name = held
      lock = WriterLock(around: held)
    }

    func append(_ letter: String) {
      lock.withLock { name += letter }
    }
  }
  // snippet:end

  /// Ten writers append to one name under a lock.
  @Sendable static func object(_ lab: Lab) throws {
    @Variable("kenny") var kenny: ValueType?
    try lab.step("a struct with an object is created") {
      let object = ReferenceType(name: "Tom", writers: writers)
      kenny = ValueType(name: "Kenny", referenceType: object)
    }
    try lab.onThreads(
      writers, "ten threads append to a copy's name", with: kenny!, noting: "names written:"
    ) { valueType in
      let copy = valueType
      copy.referenceType.append("!")
    }
    let length = kenny?.referenceType.name.count ?? 0
    lab.ledger.setMetrics([
      "writers": writers, .lostUpdates: "Tom".count + writers - length, "nameLength": length,
    ])
    try lab.release("the struct is dropped") { kenny = nil }
  }
}
