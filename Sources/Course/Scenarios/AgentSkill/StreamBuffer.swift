import MemlabKit

extension Scenario {
  /// `stream-buffer`: a stream that is fed faster than it is read.
  static let streamBuffer = Scenario(
    id: "stream-buffer", title: "a stream that is fed faster than it is read",
    document: .skillStreams, place: "buffer policies", lesson: "12-it-grows-and-nothing-leaks",
    question: "A camera yields five frames, and nobody reads them yet. How many are alive?",
    hint: "yield() does not wait. Where is a value that nobody has taken?",
    beliefs: [
      .task("People assume that a producer waits until its value is taken."),
      .nobody("finish() is said to end the stream, and so to empty it."),
    ],
    next: "queue-backlog",
    endings: [
      Ending(
        "unbounded", "five frames, and then the camera is dropped",
        expects: .several(.clean, ["Frame": (5, 5)], metrics: ["buffered": 5, "terminated": 1]),
        explanation: "The default policy keeps every value until it is taken, and no yield waits. "
          + "Dropping the camera ends its stream, and the buffer is released.",
        claims: [
          Claim("Buffers all values until consumed") { $0.metric("buffered") == 5 },
          Claim(
            "Always call finish() - Streams stay alive until terminated",
            .fails(
              because: "nobody has called finish(): the stream ended when the camera was dropped")
          ) { $0.metric("terminated") == 0 },
          Claim("Streams cancel when: … Stream goes out of scope") { $0.metric("terminated") == 1 },
          Claim(
            "AsyncStream brings backpressure",
            from: .issue(440, of: "xybrid-ai/xybrid"),
            .fails(because: "five yields returned at once, and five frames waited")
          ) { $0.metric("buffered") < 5 },
        ],
        on: { Stage($0) }, steps: { [$0.film, $0.drop] }),
      Ending(
        "newest", "the policy is bufferingNewest(1)",
        expects: .several(
          .clean, ["Frame": (5, 5)], tasks: ["read": (1, 1)],
          metrics: ["buffered": 1, "terminated": 1, "read": 1, "lastRead": 5]),
        explanation: "Each yield pushes the older frame out. Memory does not grow, and four frames "
          + "are lost on purpose.",
        claims: [
          Claim("Keeps only the newest N values") {
            $0.metric("buffered") == 1 && $0.metric("lastRead") == 5
          }
        ],
        on: { Stage($0, .bufferingNewest(1)) }, steps: { [$0.film, $0.read, $0.drop] }),
      Ending(
        "finished", "the stream is finished, fed once more, and then read",
        expects: .several(
          .clean, ["Frame": (6, 6)], tasks: ["read": (1, 1)],
          metrics: ["buffered": 5, "terminated": 1, "read": 5, "lastRead": 5]),
        explanation: "finish() ends what can be added, and not what is there: the five frames are "
          + "read after it. The sixth was never accepted.",
        claims: [
          Claim("Once finished, stream won't emit new values") { $0.metric("lastRead") == 5 },
          Claim("Values after finish() are silently dropped") {
            $0.object("Frame").created == 6 && $0.metric("read") == 5
          },
          Claim(
            "the stream doesn't produce any additional elements after finish()",
            original: "doesn't produce any additional elements",
            from: .thread("forums.swift.org/t/79746", "Swift forums 79746: finish()"),
            .fails(because: "what was buffered is still delivered: five frames after finish()")
          ) { $0.metric("read") == 0 },
        ],
        on: { Stage($0) }, steps: { [$0.film, $0.finishAndFilm, $0.read, $0.drop] }
      )
      .asking("Five frames wait, and finish() is called. How many does a consumer still get?"),
      Ending(
        "kept", "the stream is finished, and the app keeps the camera",
        expects: .several(
          .leak, ["Frame": (5, 0)], metrics: ["buffered": 5, "terminated": 1],
          held: ["Frame": .aGlobal]),
        explanation: "finish() does not empty a buffer. As long as somebody holds the stream or "
          + "its continuation, the five frames stay.",
        on: { Stage($0) }, steps: { [$0.film, $0.keep, $0.finish, $0.drop] }
      )
      .asking("The stream is finished, and the app keeps the camera. Are the frames released?"),
    ])

  private typealias Stage = StreamBuffer.Stage
}

/// A camera that yields its frames into a stream.
enum StreamBuffer {
  // snippet:code
  final class Frame {
    let number: Int
    private let probe = Probe(Frame.self)

    init(_ number: Int) { self.number = number }
  }

  final class Camera {
    let frames: AsyncStream<Frame>
    private let continuation: AsyncStream<Frame>.Continuation
    private var count = 0

    init(_ policy: AsyncStream<Frame>.Continuation.BufferingPolicy) {
      (frames, continuation) = AsyncStream.makeStream(bufferingPolicy: policy)
      continuation.onTermination = { _ in Ledger.current?.note("terminated") }
    }

    func film() {
      count += 1
      continuation.yield(Frame(count))
    }

    func finish() { continuation.finish() }
  }
  // snippet:end

  /// Holds a camera, and runs the steps of its endings.
  final class Stage {
    private let lab: Lab
    @Variable("camera") private var camera: Camera?

    /// A stage with a camera of this policy.
    init(_ lab: Lab, _ policy: AsyncStream<Frame>.Continuation.BufferingPolicy = .unbounded) {
      self.lab = lab
      camera = Camera(policy)
    }

    /// Films five frames, and records how many are alive.
    func film() throws {
      try lab.step("the camera films five frames") { for _ in 1...5 { camera?.film() } }
      lab.ledger.setMetric("buffered", lab.ledger.totals.object("Frame").alive)
    }

    /// Finishes the stream.
    func finish() throws { try lab.step("the stream is finished") { camera?.finish() } }

    /// Finishes the stream, and lets the camera film once more.
    func finishAndFilm() throws {
      try lab.step("the stream is finished, and a sixth frame filmed") {
        camera?.finish()
        camera?.film()
      }
    }

    /// Reads what is in the stream, and finishes it.
    func read() throws {
      try lab.step("a consumer reads the stream") {
        guard let frames = camera?.frames else { return }
        camera?.finish()
        Task(probe: "read") {
          for await frame in frames {
            Ledger.current?.note("read")
            Ledger.current?.setMetric("lastRead", frame.number)
          }
        }
      }
      lab.ledger.setMetric("read", lab.ledger.notes(of: "read"))
    }

    /// Lets the app keep the camera.
    func keep() { camera.map { _ = AppWide.keep($0, for: lab.ledger) } }

    /// Drops the camera.
    func drop() throws {
      try lab.release("the camera is dropped") { camera = nil }
      lab.ledger.setMetric("terminated", lab.ledger.notes(of: "terminated"))
    }
  }
}
