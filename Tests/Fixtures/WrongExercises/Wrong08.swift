import Exercises
import MemlabKit
import Synchronization

/// Wrong solutions of exercise 08.
enum Wrong08: String, Mistakes {
  case none, asShipped, returnsAtOnce, resumesTwice, forgetsEarly, ignoresCancel, sleeps,
    staysRung
  case exits, hangs, ringsNobody, detached, strongTask, noProbe, resumesInDeinit,
    sharesVisitors

  nonisolated(unsafe) static var now = Wrong08.none

  static let all = solutions(
    of: .doorbell(Doorbell.self),
    [
      .asShipped: "The event itself must let the visitor go.",
      .returnsAtOnce: "A visitor waits until the bell rings.",
      .resumesTwice: "tried to resume its continuation more than once",
      .forgetsEarly: "Who resumes its continuation in this ending?",
      .ignoresCancel: "The event itself must let the visitor go.",
      .sleeps: "A visitor waits until the bell rings.",
      .staysRung: "A visitor waits until the bell rings.",
      .exits: "Your code ended the process, with code 0",
      .hangs: "nothing has moved",
      .ringsNobody: "The event itself must let the visitor go.",
      .detached: "each task is started with Task(probe:)",
      .strongTask: "each task is started with Task(probe:)",
      .noProbe: "No Doorbell was counted",
      .resumesInDeinit: "Who resumes its continuation in this ending?",
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
      isRung.withLock { $0 = true }
      if now != .ringsNobody { release() }
    }

    private func release() { waiting.continuation.withLock { $0.take() }?.resume() }

    deinit { if now == .resumesInDeinit { release() } }
  }

  private final class Visitor: Sendable {
    static let shared = Visitor()
    let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
  }
}
