import MemlabExercises
import MemlabKit
import Synchronization

/// The letter box.
final class LetterBox: LetterBoxUnderStudy {
  private let post: Post
  private let probe = Probe(LetterBox.self)

  /// A box that the post empties.
  init(post: Post) { self.post = post }

  /// Sends a letter, and returns the number of its receipt.
  func send(_ letter: String) async throws -> Int {
    let writer = LetterWriter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        writer.wait(with: continuation)
        // The task was cancelled before there was a continuation, and the handler has already run.
        guard !Task.isCancelled else { return writer.resume(with: .failure(CancellationError())) }
        post.carry(letter) { receipt in
          writer.resume(with: receipt.map { .success($0) } ?? .failure(Lost()))
        }
      }
    } onCancel: {
      writer.resume(with: .failure(CancellationError()))
    }
  }
}

/// Someone who waits for one answer, and takes the first.
private final class LetterWriter: Sendable {
  private let waiting = Mutex<CheckedContinuation<Int, any Error>?>(nil)

  func wait(with continuation: CheckedContinuation<Int, any Error>) {
    waiting.withLock { $0 = continuation }
  }

  func resume(with result: Result<Int, any Error>) {
    waiting.withLock { $0.take() }?.resume(with: result)
  }
}
