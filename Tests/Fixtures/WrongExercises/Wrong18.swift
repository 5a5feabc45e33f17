import Exercises
import MemlabKit
import Synchronization

/// Wrong solutions of exercise 18.
enum Wrong18: String, Mistakes {
  case none, asShipped, ignoresCancel, ignoresLoss, resumesTwice, forgetsEarly, returnsZero,
    throwsLost
  case sendsTwice, sendsNothing, swallows, exits, traps, noProbe, detached, otherError, addsOne
  case byText, inOrder, cancelsAll

  nonisolated(unsafe) static var now = Wrong18.none

  static let all = solutions(
    of: .letters(LetterBox.self),
    [
      .asShipped: "A letter that is lost throws Lost.",
      .ignoresCancel: "A cancelled sender leaves with a CancellationError.",
      .ignoresLoss: "A letter that is lost throws Lost.",
      .resumesTwice: "tried to resume its continuation more than once",
      .forgetsEarly: "A cancelled sender leaves with a CancellationError.",
      .returnsZero: "A letter that is lost throws Lost.",
      .throwsLost: "A cancelled sender leaves with a CancellationError.",
      .sendsTwice: "Every letter goes to the post, once.",
      .sendsNothing: "Every letter goes to the post, once.",
      .swallows: "A cancelled sender leaves with a CancellationError.",
      .exits: "Your code ended the process, with code 0",
      .traps: "Swift says: lost",
      .noProbe: "No LetterBox was counted",
      .detached: "A cancelled sender leaves with a CancellationError.",
      .otherError: "A letter that is lost throws Lost.",
      .addsOne: "A letter that arrives returns the receipt that the post gave.",
      .inOrder: "A letter that arrives returns the receipt that the post gave.",
      .cancelsAll: "A letter that arrives returns the receipt that the post gave.",
      .byText: "Who resumes its continuation in this ending?",
    ]
  ) { now = $0 }

  private struct Other: Error {}

  final class LetterBox: LetterBoxUnderStudy {
    private let post: Post
    private let probe: Probe? = now == .noProbe ? nil : Probe(LetterBox.self)

    private let senders = Senders()
    private let line = Line()

    init(post: Post) { self.post = post }

    func send(_ letter: String) async throws -> Int {
      switch now {
      case .exits: Sabotage.leave()
      case .sendsNothing: return 1
      case .swallows: return (try? await listening(letter)) ?? 0
      case .detached: return try await Task.detached { try await self.listening(letter) }.value
      case .byText: return try await sending(letter)
      default: break
      }
      return try await listening(letter)
    }

    private func sending(_ letter: String) async throws -> Int {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          senders.waiting.withLock { $0[letter] = continuation }
          if Task.isCancelled {
            return senders.resume(letter, with: .failure(CancellationError()))
          }
          post.carry(letter) { [senders] in
            senders.resume(letter, with: $0.map { .success($0) } ?? .failure(Lost()))
          }
        }
      } onCancel: {
        senders.resume(letter, with: .failure(CancellationError()))
      }
    }

    private func listening(_ letter: String) async throws -> Int {
      let sender = Sender()
      line.senders.withLock { $0.append(sender) }
      if now == .asShipped || now == .ignoresCancel { return try await wait(sender, letter) }
      return try await withTaskCancellationHandler {
        try await wait(sender, letter)
      } onCancel: {
        let all = line.senders.withLock { line in
          defer { line.removeAll { $0 === sender } }
          return line
        }
        if now == .cancelsAll {
          for sender in all { sender.resume(with: .failure(CancellationError())) }
        }
        sender.resume(with: .failure(now == .throwsLost ? Lost() : CancellationError()))
      }
    }

    private func wait(_ sender: Sender, _ letter: String) async throws -> Int {
      try await withCheckedThrowingContinuation { continuation in
        sender.wait(with: continuation)
        let isWatched = now != .forgetsEarly && now != .asShipped && now != .ignoresCancel
        if Task.isCancelled, isWatched {
          return sender.resume(with: .failure(now == .throwsLost ? Lost() : CancellationError()))
        }
        for _ in 0..<(now == .sendsTwice ? 2 : 1) {
          post.carry(letter) { [line] in
            let first = line.senders.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let heard = now == .inOrder ? first : sender { Self.answer(heard, $0) }
          }
        }
      }
    }

    private static func answer(_ sender: Sender, _ receipt: Int?) {
      if let receipt {
        return sender.resume(with: .success(now == .addsOne ? receipt + 1 : receipt))
      }
      switch now {
      case .asShipped, .ignoresLoss: break
      case .returnsZero: sender.resume(with: .success(0))
      case .traps: fatalError("lost")
      case .otherError: sender.resume(with: .failure(Other()))
      default: sender.resume(with: .failure(Lost()))
      }
    }
  }

  private final class Senders: Sendable {
    let waiting = Mutex<[String: CheckedContinuation<Int, any Error>]>([:])

    func resume(_ letter: String, with result: Result<Int, any Error>) {
      waiting.withLock { $0.removeValue(forKey: letter) }?.resume(with: result)
    }
  }

  private final class Line: Sendable {
    let senders = Mutex<[Sender]>([])
  }

  private final class Sender: Sendable {
    private let waiting = Mutex<CheckedContinuation<Int, any Error>?>(nil)

    func wait(with continuation: CheckedContinuation<Int, any Error>) {
      waiting.withLock { $0 = continuation }
    }

    func resume(with result: Result<Int, any Error>) {
      if now == .resumesTwice { return waiting.withLock { $0 }?.resume(with: result) ?? () }
      waiting.withLock { $0.take() }?.resume(with: result)
    }
  }
}
