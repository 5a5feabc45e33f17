import MemlabExercises
import MemlabKit
import Synchronization

/// Wrong solutions of exercise 18.
enum Wrong18: String, Mistakes {
  case none, asShipped, ignoresCancel, ignoresLoss, resumesTwice, forgetsEarly, returnsZero
  case throwsLost, sendsTwice, sendsNothing, swallows, exits, traps, noProbe, detached, otherError
  case addsOne, byText, inOrder, cancelsAll, ownCopies, sendsOnce, givesUp, lostAsCancelled, races
  case innerTask, sendsAgain, firstAnswerForAll, streams, byNumber, sendsInAnyCase

  nonisolated(unsafe) static var firstReceipt: Int?
  nonisolated(unsafe) static var last = 0

  static let all = solutions(
    of: LetterBoxJudge<LetterBox>.exercise,
    [
      "A letter that is lost throws Lost.": [
        .asShipped, .ignoresLoss, .returnsZero, .otherError, .lostAsCancelled, .sendsAgain,
      ],
      "A cancelled sender leaves with a CancellationError.": [
        .ignoresCancel, .forgetsEarly, .throwsLost, .swallows, .detached, .races, .innerTask,
      ],
      "Every letter goes to the post, once.": [.sendsTwice, .sendsNothing, .sendsOnce],
      "Swift says: lost": [.traps],
      "No LetterBox was counted": [.noProbe],
      "A letter that arrives returns the receipt that the post gave.": [
        .addsOne, .inOrder, .cancelsAll, .givesUp, .firstAnswerForAll,
      ],
      "Who resumes its continuation in this ending?": [.byText],
    ], right: [.streams, .byNumber, .sendsInAnyCase])

  private struct Other: Error {}

  final class LetterBox: LetterBoxUnderStudy {
    private let post: Post
    private let probe = makeProbe(of: LetterBox.self)

    private let senders = Senders()
    private let line = Line()

    init(post: Post) { self.post = post }

    func send(_ letter: String) async throws -> Int {
      switch now {
      case .exits: Sabotage.leave()
      case .sendsNothing: return 1
      case .swallows: return (try? await listening(letter)) ?? 0
      case .detached: return try await Task.detached { try await self.listening(letter) }.value
      case .givesUp: return try await hurrying(letter)
      case .innerTask:
        let sending = Task { try await wait(Sender(), letter) }
        return try await withTaskCancellationHandler {
          try await sending.value
        } onCancel: {
          sending.cancel()
        }
      case .races:
        return try await withThrowingTaskGroup(of: Int.self) { group in
          group.addTask { try await self.wait(Sender(), letter) }
          group.addTask {
            for await _ in AsyncStream<Void>(unfolding: { await Self.never() }) {}
            throw CancellationError()
          }
          defer { group.cancelAll() }
          return try await group.next() ?? 0
        }
      case .streams: return try await streaming(letter)
      case .firstAnswerForAll:
        let receipt = try await listening(letter)
        firstReceipt = firstReceipt ?? receipt
        return firstReceipt ?? receipt
      case .byNumber:
        last += 1
        return try await sending(letter, as: "\(last)")
      case .sendsOnce where senders.isWaiting(letter): throw Lost()
      case .sendsOnce: return try await sending(letter, as: letter)
      case .byText: return try await sending(letter, as: letter)
      default: break
      }
      return try await listening(letter)
    }

    private static func never() async -> Void? {
      for await _ in AsyncStream.makeStream(of: Void.self).stream {}
      return nil
    }

    private func hurrying(_ letter: String) async throws -> Int {
      let sender = Sender()
      Task {
        try? await Task.sleep(for: .seconds(60))
        sender.resume(with: .failure(CancellationError()))
      }
      return try await wait(sender, letter)
    }

    private func streaming(_ letter: String) async throws -> Int {
      let (answers, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      post.carry(letter) { receipt in
        if let receipt { continuation.yield(receipt) }
        continuation.finish(throwing: receipt == nil ? Lost() : nil)
      }
      for try await receipt in answers { return receipt }
      throw CancellationError()
    }

    private func sending(_ letter: String, as name: String) async throws -> Int {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          senders.waiting.withLock { $0[name] = continuation }
          if Task.isCancelled { return senders.resume(name, with: .failure(CancellationError())) }
          post.carry(letter) { [senders] in
            senders.resume(name, with: $0.map { .success($0) } ?? .failure(Lost()))
          }
        }
      } onCancel: {
        senders.resume(name, with: .failure(CancellationError()))
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
        if now == .ownCopies { return sender.leave() }
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
        if Task.isCancelled, now == .sendsInAnyCase {
          sender.resume(with: .failure(CancellationError()))
        } else if Task.isCancelled, isWatched {
          return sender.resume(with: .failure(now == .throwsLost ? Lost() : CancellationError()))
        }
        for _ in 0..<(now == .sendsTwice ? 2 : 1) {
          post.carry(letter) { [line, post] in
            if now == .sendsAgain, $0 == nil {
              return post.carry(letter) { Self.answer(sender, $0) }
            }
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
      case .lostAsCancelled: sender.resume(with: .failure(CancellationError()))
      default: sender.resume(with: .failure(Lost()))
      }
    }
  }

  private final class Senders: Sendable {
    let waiting = Mutex<[String: CheckedContinuation<Int, any Error>]>([:])

    func isWaiting(_ letter: String) -> Bool { waiting.withLock { $0[letter] != nil } }

    func resume(_ letter: String, with result: Result<Int, any Error>) {
      waiting.withLock { $0.removeValue(forKey: letter) }?.resume(with: result)
    }
  }

  private final class Line: Sendable { let senders = Mutex<[Sender]>([]) }

  private final class Sender: Sendable {
    private let waiting = Mutex<CheckedContinuation<Int, any Error>?>(nil)

    private let copy = Mutex<CheckedContinuation<Int, any Error>?>(nil)

    func leave() {
      waiting.withLock { $0 = nil }
      copy.withLock { $0 }?.resume(throwing: CancellationError())
    }

    func wait(with continuation: CheckedContinuation<Int, any Error>) {
      copy.withLock { $0 = continuation }
      waiting.withLock { $0 = continuation }
    }

    func resume(with result: Result<Int, any Error>) {
      if now == .resumesTwice { return waiting.withLock { $0 }?.resume(with: result) ?? () }
      waiting.withLock { $0.take() }?.resume(with: result)
    }
  }
}
