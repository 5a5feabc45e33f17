import MemlabKit

extension Scenario {
  /// `struct-inout-race`: ten threads, one struct, and inout.
  static let structInoutRace = Scenario(
    id: "struct-inout-race", title: "ten threads, one struct, and inout",
    document: .structsAndThreads, place: "the example with modifyPoint",
    lesson: "06-a-struct-is-not-a-lock",
    question: "Ten writers each add 1 to a point that starts at (1, 1). What is its final value?",
    hint: "x += 1 reads x, adds, and writes x. What if all ten have read before one writes?",
    next: "struct-copy",
    endings: [
      Ending(
        "shared", "ten writers modify the same point",
        expects: Declaration(
          .race, metrics: ["writers": 10, .lostUpdates: 9, "finalX": 2, "finalY": 2]),
        explanation: "A barrier stops every writer between its read and its write. All ten read "
          + "(1, 1), and all ten write (2, 2). One of ten updates is left.",
        run: StructInoutRace.shared
      )
      .claiming(
        "the increments meet, because the value of point is not thread-safe",
        original: "`point`의 값이 `thread-safe`하지 못하게 동시에 증가가 되는 경우가 생긴다"
      ) { $0.metric(.lostUpdates) > 0 },
      Ending(
        "copied", "the document's fix: each writer copies the point first",
        expects: Declaration(
          .clean, metrics: ["writers": 10, .lostUpdates: 0, "originalX": 1, "originalY": 1]),
        explanation: "Each writer changes its own copy, so no update is lost to a race. But no "
          + "update reaches the point either: ten copies at (2, 2) are made and thrown away.",
        run: StructInoutRace.copied
      )
      .claiming(
        "the copy is modified and not the original, so it is thread-safe",
        original: "원본을 수정하지 않고 copy를 수정하기 때문에 thread-safe하다"
      ) { $0.metric(.lostUpdates) == 0 && $0.metric("originalX") == 1 },
    ],
    unforced: Ending(
      "free", "ten writers modify the same point, and nothing stops them", expects: .nothing,
      explanation: "The number of lost updates depends on the machine, the moment and the "
        + "optimiser. A run that loses none proves nothing.",
      run: StructInoutRace.free))
}

/// The document's example, changed so that it shows its race in every run.
enum StructInoutRace {
  // snippet:code
  struct Point {
    var x = 0
    var y = 0

    mutating func update() {
      x += 1
      y += 1
    }

    func printPoint() {
      print("(\(x), \(y))")
    }
  }

  static func modifyPoint(point: inout Point) {
    point.update()
    point.printPoint()
  }
  // snippet:end

  private static let writers = 10

  /// Ten writers modify the same point.
  @Sendable static func shared(_ lab: Lab) throws {
    let point = Held(Point(x: 1, y: 1), writers: writers)
    try lab.onThreads(writers, "ten threads modify the point", with: point) {
      modifyPoint(point: &$0.value)
    }
    lab.ledger.setMetrics(of: point.current, writers: writers)
  }

  /// Each writer modifies its own copy.
  @Sendable static func copied(_ lab: Lab) throws {
    let point = Held(Point(x: 1, y: 1), writers: writers)
    let sum = SharedSum()
    try lab.onThreads(writers, "ten threads modify a copy each", with: point) { point in
      var copy = point.value
      let before = copy.x
      modifyPoint(point: &copy)
      sum.add(copy.x - before)
    }
    lab.ledger.setMetrics([
      "writers": writers, .lostUpdates: writers - sum.value,
      "originalX": point.current.x, "originalY": point.current.y,
    ])
  }

  /// Ten writers modify the same point, and nothing stops them.
  @Sendable static func free(_ lab: Lab) throws {
    let (rounds, updates) = (100, 1_000)
    var (lost, lossyRounds) = (0, 0)
    try lab.step("ten threads run free, \(rounds) times") {
      for _ in 0..<rounds {
        let lostInRound = freeRound(lab, updates: updates)
        lost += lostInRound
        guard lostInRound > 0 else { continue }
        lossyRounds += 1
        lab.ledger.note("rounds that lose updates:")
      }
    }
    lab.ledger.setMetrics([
      "writers": writers, "rounds": rounds, "updates": rounds * writers * updates,
      .lostUpdates: lost, "roundsWithLoss": lossyRounds,
    ])
  }

  private static func freeRound(_ lab: Lab, updates: Int) -> Int {
    let place = UnsafeMutablePointer<Point>.allocate(capacity: 1)
    place.initialize(to: Point(x: 1, y: 1))
    defer { place.deallocate() }
    nonisolated(unsafe) let shared = place
    lab.onThreads(writers) { _ in
      for _ in 0..<updates { shared.pointee.update() }
    }
    return 1 + writers * updates - place.pointee.x
  }
}

extension Ledger {
  /// Enters the figures of a point that began at (1, 1) and was updated by so many writers.
  func setMetrics(of point: StructInoutRace.Point, writers: Int) {
    setMetrics([
      "writers": writers, .lostUpdates: 1 + writers - point.x, "finalX": point.x, "finalY": point.y,
    ])
  }
}

/// Notes what the document's `printPoint` prints in the current step.
private func print(_ text: String) { Ledger.current?.note("writers that print \(text):") }
