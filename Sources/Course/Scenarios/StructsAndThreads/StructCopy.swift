import MemlabKit

extension Scenario {
  /// `struct-copy`: a copy for each thread, and its buffer.
  static let structCopy = Scenario(
    id: "struct-copy", title: "a copy for each thread, and its buffer",
    document: .structsAndThreads, place: "var copy = point", lesson: "06-a-struct-is-not-a-lock",
    question: "Ten threads each make a copy of a path. How many times are its points copied?",
    hint: "A struct that holds an object copies the reference. Who copies the object, and when?",
    beliefs: [.variable("Ten copies were made, and each refers to the buffer.")],
    next: "struct-escaping-self",
    endings: [
      Ending(
        "read", "ten threads copy the path and read their copies",
        expects: .several(
          .clean, ["Buffer": (1, 1)],
          metrics: ["threads": 10, .lostUpdates: 0, "pointsInOriginal": 1]),
        explanation: "All ten copies share one buffer. Copying the struct copies a reference and "
          + "adds one to the buffer's retain count. The points are not copied."
      ) { lab in
        try StructCopy.play(on: lab, "ten threads read a copy each") { path in
          let copy = path
          return copy.buffer.points.count
        }
      }
      .claiming(
        "when several threads access a struct, each copies the instance before it does",
        original: "여러 스레드에서 구조체에 접근할 때 인스턴스를 복사한 후 접근하게 된다",
        failsBecause: "eleven values share one buffer, because nothing writes to it"
      ) { $0.object("Buffer").created == 11 },
      Ending(
        "written", "ten threads copy the path and append to their copies",
        expects: .several(
          .clean, ["Buffer": (11, 11)],
          metrics: ["threads": 10, .lostUpdates: 0, "pointsInOriginal": 1]),
        explanation: "Each append finds that its buffer has other owners and copies it first: ten "
          + "new buffers, and the original is unchanged."
      ) { lab in
        try StructCopy.play(on: lab, "ten threads append to a copy each") { path in
          var copy = path
          copy.append(StructCopy.Point(x: 1, y: 1))
          return copy.buffer.points.count - 1
        }
      }
      .claiming(
        "the original is not affected, so the result is the same from any number of threads",
        original: "원본데이터에는 영향을 주지 않기 때문에 여러 스레드에서 접근하더라도 결과가 같기에"
      ) { $0.metric("pointsInOriginal") == 1 && $0.metric(.lostUpdates) == 0 },
      Ending(
        "forgotten", "the same, with an append that does not check for other owners",
        expects: .several(
          .race, ["Buffer": (1, 1)],
          metrics: ["threads": 10, .lostUpdates: 9, "pointsInOriginal": 2]),
        explanation: "Ten copies share one buffer, and ten threads write to it, each starting "
          + "from one point. Nine appends are lost, and the last one also changes the original."
      ) { lab in
        try StructCopy.play(on: lab, writers: 10, "ten threads append to a copy each") { path in
          var copy = path
          copy.appendAndForget(StructCopy.Point(x: 1, y: 1))
          return 0
        }
      }
      .claiming(
        "the original is not affected, so the result is the same from any number of threads",
        original: "원본데이터에는 영향을 주지 않기 때문에 여러 스레드에서 접근하더라도 결과가 같기에",
        failsBecause: "one line in append makes this a value. The language copies what is in the "
          + "struct, and that is a reference"
      ) { $0.metric("pointsInOriginal") == 1 },
    ])
}

/// A struct that copies its points when it must, like the standard library's collections.
enum StructCopy {
  /// The document's point.
  typealias Point = StructInoutRace.Point

  /// The object that holds the points.
  final class Buffer {
    /// The points.
    @Held var points: [Point]
    private let probe = Probe(Buffer.self)

    /// A buffer with these points.
    init(_ points: [Point], writers: Int = 1) { _points = Held(points, writers: writers) }
  }

  // snippet:code
  struct Path {
    var buffer: Buffer

    mutating func append(_ point: Point) {
      if !isKnownUniquelyReferenced(&buffer) {
        buffer = Buffer(buffer.points)
      }
      buffer.points.append(point)
    }

    mutating func appendAndForget(_ point: Point) {
      buffer.points.append(point)
    }
  }
  // snippet:end

  private static let threads = 10

  /// Does something with a path of one point on each of ten threads, which returns how many of its
  /// points it sees.
  fileprivate static func play(
    on lab: Lab, writers: Int = 1, _ what: String, _ body: @escaping (Path) -> Int
  ) throws {
    @Variable("path") var path: Path?
    try lab.step("a path of one point is created") {
      path = Path(buffer: Buffer([Point()], writers: writers))
    }
    let sum = SharedSum()
    try lab.onThreads(threads, what, with: path!, noting: "copies made:") { sum.add(body($0)) }
    let points = path?.buffer.points.count ?? 0
    lab.ledger.setMetrics([
      "threads": threads, "pointsInOriginal": points,
      .lostUpdates: writers == 1 ? threads - sum.value : 1 + threads - points,
    ])
    try lab.release("the path is dropped") { path = nil }
  }
}
