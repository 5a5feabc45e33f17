// A letter box turns the callbacks of the post into async calls. Who sends a letter that is lost
// waits forever, and so does who is cancelled while waiting. Fix it so that a lost letter throws
// `Lost`, and so that a cancelled sender leaves at once with a `CancellationError`. The post may still
// call back afterwards.

import MemlabKit

/// The letter box.
final class LetterBox: LetterBoxUnderStudy {
  private let post: Post
  private let probe = Probe(LetterBox.self)

  /// A box that the post empties.
  init(post: Post) { self.post = post }

  /// Sends a letter, and returns the number of its receipt.
  func send(_ letter: String) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      post.carry(letter) { receipt in
        if let receipt { continuation.resume(returning: receipt) }
      }
    }
  }
}
