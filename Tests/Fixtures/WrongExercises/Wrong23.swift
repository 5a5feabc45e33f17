import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 23.
enum Wrong23: String, Mistakes {
  case none, asShipped, keepsOldest, keepsOne, keepsFour, keepsNothing, countsNothing, countsAll
  case holdsBack, clearsAtStop, newestFirst, sharesStream, neverStops, noDeinit, exits, noProbe
  case pulls, ownList

  nonisolated(unsafe) static var shared: AsyncStream<Frame>.Continuation?

  static let all = solutions(
    of: CameraJudge<Camera>.exercise,
    [
      "buffered should be 3 and was 20.": [.asShipped],
      "Three frames wait if nobody takes them": [.keepsOne, .keepsFour, .keepsNothing],
      "Each frame that makes way for a newer one is missed": [.countsNothing, .countsAll],
      "A reader gets the newest frames that wait": [
        .keepsOldest, .holdsBack, .clearsAtStop, .newestFirst, .sharesStream,
      ],
      "A reader's loop ends when the camera stops": [.neverStops],
      "Who finishes its stream in this ending?": [.noDeinit], "No Camera was counted": [.noProbe],
    ], right: [.pulls, .ownList])

  private static var hasList: Bool { [.ownList, .clearsAtStop, .newestFirst].contains(now) }
  private static var policy: AsyncStream<Frame>.Continuation.BufferingPolicy {
    let limits = [Self.keepsNothing: 0, .keepsOne: 1, .holdsBack: 2, .keepsFour: 4]
    if now == .keepsOldest { return .bufferingOldest(3) }
    return now == .asShipped ? .unbounded : .bufferingNewest(limits[now] ?? 3)
  }

  final class Camera: CameraUnderStudy {
    let frames: AsyncStream<Frame>
    private(set) var missed = 0
    private let continuation: AsyncStream<Frame>.Continuation
    private let list = OwnList()
    private var held: Frame?
    private let probe = makeProbe(of: Camera.self)

    init() {
      let (stream, continuation) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: policy)
      self.continuation = continuation
      shared = now == .sharesStream ? continuation : nil
      let pulled = AsyncStream(unfolding: { await stream.first { _ in true } })
      frames = hasList ? AsyncStream(unfolding: list.next) : now == .pulls ? pulled : stream
    }

    func film(_ frame: Frame) {
      if now == .exits { Sabotage.leave() }
      if hasList { missed += list.add(frame) }
      let next = hasList ? nil : now == .holdsBack ? held : frame
      if now == .holdsBack { held = frame }
      let result = next.map { (shared ?? continuation).yield($0) }
      if case .dropped = result, now != .countsNothing { missed += 1 }
      if now == .countsAll { missed += 1 }
    }

    func stop() { if now != .neverStops { finish() } }

    private func finish() {
      if now == .clearsAtStop { list.frames = [] }
      continuation.finish()
      list.signal.finish()
    }

    deinit { if now != .noDeinit { finish() } }
  }

  private final class OwnList {
    var frames: [Frame] = []
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// How many had to make way.
    func add(_ frame: Frame) -> Int {
      frames.append(frame)
      signal.yield()
      let surplus = max(0, frames.count - 3)
      frames.removeFirst(surplus)
      return surplus
    }

    func next() async -> Frame? {
      if frames.isEmpty { for await _ in signals where !frames.isEmpty { break } }
      return now == .newestFirst ? frames.popLast() : frames.isEmpty ? nil : frames.removeFirst()
    }
  }
}
