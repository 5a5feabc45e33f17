import Exercises
import MemlabKit
import Synchronization

/// Wrong solutions of exercise 08.
enum Wrong08: String, Mistakes {
  case none, asShipped, returnsAtOnce, resumesTwice, forgetsEarly, ignoresCancel, sleeps,
    staysRung
  case exits, hangs, ringsNobody, detached, strongTask, noProbe, resumesInDeinit,
    sharesVisitors, keepsTheRing

  nonisolated(unsafe) static var now = Wrong08.none

  static let all = solutions(
    of: .doorbell(Doorbell.self),
    [
      .asShipped: "The event itself must let the visitor go.",
      .returnsAtOnce: "A visitor waits until the bell rings the next time.",
      .resumesTwice: "tried to resume its continuation more than once",
      .forgetsEarly: "Who resumes its continuation in this ending?",
      .ignoresCancel: "The event itself must let the visitor go.",
      .sleeps: "A visitor waits until the bell rings the next time.",
      .staysRung: "A visitor waits until the bell rings the next time.",
      .exits: "Your code ended the process, with code 0",
      .hangs: "nothing has moved",
      .ringsNobody: "The event itself must let the visitor go.",
      .detached: "each task is started with Task(probe:)",
      .strongTask: "each task is started with Task(probe:)",
      .noProbe: "No Doorbell was counted",
      .resumesInDeinit: "Who resumes its continuation in this ending?",
      .keepsTheRing: "A visitor waits until the bell rings the next time.",
      .sharesVisitors: "The event itself must let the visitor go.",
    ]
  ) { now = $0 }

  final class Doorbell: DoorbellUnderStudy {
    private let ownVisitor = Visitor()
    private var waiting: Visitor { now == .sharesVisitors ? .shared : ownVisitor }
    private let isRung = Mutex(false)
    private let probe: Probe? = now == .noProbe ? nil : Probe(Doorbell.self)

    func wait() async {
      switch now {
      case .returnsAtOnce: return
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

    private func listen() async {
      await withTaskCancellationHandler {
        await store()
      } onCancel: {
        let twice = now == .resumesTwice ? waiting.continuation.withLock { $0 } : nil
        if let twice { twice.resume() } else { release() }
      }
    }

    private func store() async {
      await withCheckedContinuation { continuation in
        waiting.continuation.withLock { $0 = continuation }
        let isWatched = now != .forgetsEarly && now != .asShipped && now != .ignoresCancel
        if Task.isCancelled, isWatched, now != .resumesInDeinit { release() }
      }
    }

    func ring() {
      let isAwaited = now != .ringsNobody && release()
      isRung.withLock { $0 = now != .keepsTheRing || !isAwaited }
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

extension Bool {
  /// Takes another value, and returns the one before.
  fileprivate mutating func exchange(with other: Bool) -> Bool {
    defer { self = other }
    return self
  }
}
