import MemlabExerciseJudges
import MemlabExercises
import MemlabKit
import Synchronization

/// Wrong solutions of exercise 08.
enum Wrong08: String, Mistakes {
  case none, asShipped, returnsAtOnce, resumesTwice, forgetsEarly, ignoresCancel, sleeps, staysRung
  case exits, hangs, ringsNobody, detached, strongTask, noProbe, resumesInDeinit, sharesVisitors
  case keepsTheRing, sleepsAfterCancel, unsafeTwice, ownCopies, cancelsAllDoors, cancelledForever
  case oneStream, keepsVisits, unwraps, looksOnlyBefore, ownStream, manyVisitors, looksAfterwards

  nonisolated(unsafe) static var bells: [Doorbell] = []
  nonisolated(unsafe) static var visits: [Box<Int>] = []
  nonisolated(unsafe) static var wasCancelled = false

  static let all = solutions(
    of: DoorbellJudge<Doorbell>.exercise,
    [
      "The event itself must let the visitor go.": [
        .asShipped, .ignoresCancel, .ringsNobody, .sharesVisitors,
      ],
      "A visitor waits until the bell rings the next time.": [
        .returnsAtOnce, .sleeps, .staysRung, .keepsTheRing, .cancelsAllDoors, .cancelledForever,
        .oneStream,
      ],
      "Who resumes its continuation in this ending?": [.forgetsEarly, .resumesInDeinit],
      "each task is started with Task(probe:)": [.detached, .strongTask],
      "No Doorbell was counted": [.noProbe],
      "Nothing in this exercise takes time": [.sleepsAfterCancel],
      "a continuation that is resumed twice": [.unsafeTwice],
      "Look at Task.isCancelled when the continuation is stored": [.looksOnlyBefore],
      "of memory stay": [.keepsVisits],
      "the code has crashed": [.unwraps],
    ], right: [.ownStream, .manyVisitors, .looksAfterwards])

  final class Doorbell: DoorbellUnderStudy {
    private let ownVisitor = Visitor()
    private var waiting: Visitor { now == .sharesVisitors ? .shared : ownVisitor }
    private let isRung = Mutex(false)
    private let stream = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(0))
    private let current = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let visitors = Mutex<[Int: CheckedContinuation<Void, Never>]>([:])
    private let unchecked = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    private let probe = makeProbe(of: Doorbell.self)

    // The race that finds this mistake ends as soon as it has, however busy the machine is.
    init() {
      let isLong = now == .looksOnlyBefore
      CancellationRace.limit = isLong ? (.max, .seconds(60)) : (500, .milliseconds(100))
    }

    func wait() async {
      switch now {
      case .returnsAtOnce: return
      case .cancelledForever where wasCancelled: return
      case .unsafeTwice:
        await withTaskCancellationHandler {
          await withUnsafeContinuation { continuation in
            unchecked.withLock { $0 = continuation }
            if Task.isCancelled { continuation.resume() }
          }
        } onCancel: {
          unchecked.withLock { $0 }?.resume()
        }
      case .oneStream: for await _ in stream.stream { return }
      case .ownStream:
        let (stream, rings) = AsyncStream.makeStream(of: Void.self)
        current.withLock { $0 = rings }
        for await _ in stream { return }
      case .manyVisitors: await listen(as: Number.next())
      case .looksOnlyBefore:
        if Task.isCancelled { return }
        await withTaskCancellationHandler {
          await store()
        } onCancel: {
          release()
        }
      case .looksAfterwards:
        await withTaskCancellationHandler {
          await store()
        } onCancel: {
          Task { release() }
        }
      case .sleeps: try? await Task.sleep(for: .seconds(5))
      case .staysRung where isRung.withLock(\.self): return
      case .asShipped, .ignoresCancel, .resumesInDeinit: await store()
      case .detached, .strongTask:
        Task.detached { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        await listen()
      case .exits: Sabotage.leave()
      case .hangs: Sabotage.hang()
      case .keepsTheRing where isRung.withLock({ $0.exchange(with: false) }): return
      default: await listen()
      }
    }

    private func listen(as number: Int) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          visitors.withLock { $0[number] = continuation }
          if Task.isCancelled { visitors.withLock { $0.removeValue(forKey: number) }?.resume() }
        }
      } onCancel: {
        visitors.withLock { $0.removeValue(forKey: number) }?.resume()
      }
    }

    private func listen() async {
      if now == .keepsVisits { visits.append(Box(1)) }
      if now == .cancelsAllDoors { bells.append(self) }
      let own = Mutex<CheckedContinuation<Void, Never>?>(nil)
      if now == .ownCopies {
        return await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            waiting.continuation.withLock { $0 = continuation }
            own.withLock { $0 = continuation }
            if Task.isCancelled { release() }
          }
        } onCancel: {
          waiting.continuation.withLock { $0 = nil }
          own.withLock { $0 }?.resume()
        }
      }
      await withTaskCancellationHandler {
        await store()
      } onCancel: {
        wasCancelled = true
        switch now {
        case .unwraps: return waiting.continuation.withLock { $0.take()! }.resume()
        case .cancelsAllDoors: return letAllGo()
        case .sleepsAfterCancel:
          Task {
            try? await Task.sleep(for: .seconds(3))
            release()
          }
          return
        default: break
        }
        let twice = now == .resumesTwice ? waiting.continuation.withLock { $0 } : nil
        if let twice { twice.resume() } else { release() }
      }
    }

    private func store() async {
      await withCheckedContinuation { continuation in
        waiting.continuation.withLock { $0 = continuation }
        let isWatched = ![.forgetsEarly, .asShipped, .ignoresCancel, .looksOnlyBefore].contains(now)
        if Task.isCancelled, isWatched, now != .resumesInDeinit { release() }
      }
    }

    private func letAllGo() {
      let all = bells
      bells = []
      for bell in all { bell.release() }
    }

    func ring() {
      switch now {
      case .unsafeTwice: unchecked.withLock { $0 }?.resume()
      case .oneStream: _ = stream.continuation.yield()
      case .ownStream: _ = current.withLock { $0.take() }?.yield()
      case .manyVisitors:
        let all = visitors.withLock { visitors in
          defer { visitors = [:] }
          return visitors.values
        }
        for visitor in all { visitor.resume() }
      default:
        let isAwaited = now != .ringsNobody && release()
        isRung.withLock { $0 = now != .keepsTheRing || !isAwaited }
      }
    }

    @discardableResult private func release() -> Bool {
      let visitor = waiting.continuation.withLock { $0.take() }
      visitor?.resume()
      return visitor != nil
    }

    deinit { if now == .resumesInDeinit { release() } }
  }

  private final class Visitor: Sendable {
    static let shared = Visitor()
    let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
  }
}

/// Numbers that come once.
private enum Number {
  nonisolated(unsafe) private static var last = 0

  static func next() -> Int {
    last += 1
    return last
  }
}

extension Bool {
  /// Takes another value, and returns the one before.
  fileprivate mutating func exchange(with other: Bool) -> Bool {
    defer { self = other }
    return self
  }
}
