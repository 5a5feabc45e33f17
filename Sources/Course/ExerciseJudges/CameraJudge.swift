package import MemlabKit

/// A frame of a film.
package final class Frame: Sendable {
  /// Tells it from the others. The camera cannot read it.
  let number: Int
  private let probe = Probe(Frame.self)

  /// A frame, which only the judge makes.
  init(_ number: Int) { self.number = number }
}

/// What the judge needs of a camera.
package protocol CameraUnderStudy: AnyObject {
  /// What it films. One task may read it.
  var frames: AsyncStream<Frame> { get }
  /// How many frames were dropped for newer ones.
  var missed: Int { get }
  /// A camera that has filmed nothing.
  init()
  /// Takes a frame, and waits for nobody.
  func film(_ frame: Frame)
  /// Films nothing more. What waits can still be read.
  func stop()
}

/// Exercise 23: cameras, of which the last has a reader.
package final class CameraJudge<Camera: CameraUnderStudy>: JudgeStage, Judge {
  private let (seen, gate) = (Seen<Int>(), Gate())
  private var cameras: [(camera: Camera, missed: Int)] = []
  private var expected: [Int] = []
  private var (buffered, lost) = (0, 0)
  private var (isReading, isMissedRight) = (false, true)

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("unread", frames: 20, readers: 0) { [$0.filmMany] }
    // The oldest three are as many, and of no use.
    ending("late", frames: 21) { [$0.filmMany, $0.come, $0.haveTime, $0.filmOne] }
    ending("busy", frames: 22) { [$0.come, $0.filmOne, $0.filmMany, $0.haveTime, $0.filmOne] }
    // Of three at once, a buffer for one loses the second. And the last comes at once, too.
    ending("awake", frames: 5, buffered: 0, waiting: 0) {
      [$0.come, $0.haveTime, $0.filmOne, $0.filmThree, $0.filmOne, $0.stop]
    }
    ending("stop", frames: 20, waiting: 0) { [$0.filmMany, $0.stop, $0.come, $0.haveTime] }
    // What all cameras share, such as a static property, has the frames of both.
    ending("two", cameras: 2, frames: 24) {
      [$0.come, $0.haveTime, $0.filmMany, $0.filmThree, $0.dropFirst, $0.filmOne]
    }
  }

  private static func ending(
    _ name: String, cameras: Int = 1, frames: Int, readers: Int = 1, buffered: Int = 3,
    waiting: Int? = nil, steps: @escaping Steps<CameraJudge>
  ) -> Ending {
    Ending(
      name, ["Camera": cameras, "Frame": frames], tasks: readers == 0 ? [:] : ["reader": readers],
      figures: [
        "buffered": buffered, "framesLost": 0, "missedRight": 1, "readersLeft": waiting ?? readers,
      ], on: CameraJudge.init
    ) { stage in [{ try stage.open(cameras) }] + steps(stage) + [stage.close] }
  }

  private func open(_ count: Int) throws {
    try lab.step(count == 1 ? "a camera is switched on" : "two cameras are switched on") {
      cameras = (0..<count).map { _ in (Camera(), 0) }
    }
  }

  private func filmMany() throws { try film(20, with: 0, "twenty frames are filmed") }
  private func filmThree() throws { try film(3, with: last, "three frames are filmed at once") }
  private func filmOne() throws { try film(1, with: last, "a frame is filmed") }

  private func film(_ count: Int, with place: Int, _ text: String) throws {
    let numbers = Secret.numbers(count)
    try lab.step(last == 0 ? text : "\(text) by the \(place == 0 ? "first" : "second") camera") {
      for number in numbers { cameras[place].camera.film(Frame(number)) }
    }
    // Before the camera is asked for anything: it could tidy up then.
    let inHand = isReading ? 0 : lab.ledger.totals.task("reader").live
    buffered = max(buffered, lab.ledger.totals.object("Frame").alive - inHand)
    if place == last { expected += numbers.suffix(3) }
    cameras[place].missed += max(0, count - 3)
    isMissedRight = isMissedRight && cameras.allSatisfy { $0.camera.missed == $0.missed }
    if isReading { compare() }
  }

  // The reader takes one frame, and is busy with it until there is time.
  private func come() throws {
    try lab.step("a reader comes") {
      guard let frames = cameras.last?.camera.frames else { return }
      Task(probe: "reader") { [seen, gate] in
        for await frame in frames {
          await gate.pass()
          seen.add(frame.number)
        }
      }
    }
  }

  private func haveTime() throws {
    isReading = true
    try lab.step("the reader has time for every frame") { gate.open() }
    compare()
  }

  private func compare() { lost = max(lost, expected.count - seen.all.right(of: expected)) }

  private func stop() throws { try lab.step("the camera stops") { cameras.last?.camera.stop() } }

  private func dropFirst() throws {
    try lab.release("the first camera is dropped") { _ = cameras.removeFirst() }
  }

  private var last: Int { cameras.count - 1 }

  private func close() throws {
    lab.ledger.setMetrics([
      "buffered": buffered, "framesLost": lost, "missedRight": isMissedRight ? 1 : 0,
      "readersLeft": lab.ledger.totals.liveTasks,
    ])
    try lab.release("the camera is dropped") { cameras = [] }
  }
}
