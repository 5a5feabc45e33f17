package import MemlabKit
import Synchronization

/// Is thrown for a letter that is lost.
package struct Lost: Error {
  /// The error.
  package init() {}
}

/// What the judge needs of a letter box.
package protocol LetterBoxUnderStudy: AnyObject, Sendable {
  /// A box that the post empties.
  init(post: Post)
  /// Sends a letter, and returns the number of its receipt.
  func send(_ letter: String) async throws -> Int
}

/// Carries letters, and calls back when it wants to. It lives as long as the app.
package final class Post: Sendable {
  private let bag = Mutex<[(letter: String, answer: @Sendable (Int?) -> Void)]>([])

  /// Carries a letter.
  ///
  /// - Parameter answer: called once, on any thread: with the number of the receipt, or with nil when
  ///   the letter is lost.
  package func carry(_ letter: String, answer: @escaping @Sendable (Int?) -> Void) {
    bag.withLock { $0.append((letter, answer)) }
  }

  /// Calls back for every letter that is on its way.
  func deliver(_ receipt: (String) -> Int?) {
    let letters = bag.withLock { bag in
      defer { bag = [] }
      return bag
    }
    for (letter, answer) in letters { answer(receipt(letter)) }
  }

  /// The letters on their way.
  var letters: [String] { bag.withLock { $0.map(\.letter) } }
}

/// Exercise 18: a letter box, the post, and its senders.
package final class LetterBoxJudge<Box: LetterBoxUnderStudy>: JudgeStage, Judge {
  private let post = Post()
  private var (letters, receipts): ([String], [Int]) = ([], [])
  private let results = Seen<String>()
  private var box: Box?
  private var senders: [Task<Void, Never>] = []

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("arrives", receipts: 2) { [$0.arrive] }
    // Letters that have one fate do not show who took the news of another.
    ending("lost", letters: 3, receipts: 1, lost: 1, cancelled: 1) {
      [$0.cancelFirst, $0.loseSecond]
    }
    ending("cancel", cancelled: 2) { [$0.cancel] }
    ending("late", isAlike: true, cancelled: 2) { [$0.cancel, $0.arrive] }
    // Either answer will do. Code in which both have a continuation of their own resumes twice.
    ending("moment", isEither: true) { [$0.arriveAndCancel] }
    ending("early", isEarly: true, cancelled: 2) { [$0.cancel] }
  }

  private static func ending(
    _ name: String, isEarly: Bool = false, isAlike: Bool = false, isEither: Bool = false,
    letters: Int = 2, receipts: Int = 0, lost: Int = 0, cancelled: Int = 0,
    steps: @escaping Steps<LetterBoxJudge>
  ) -> Ending {
    var figures: [Metric: Int] =
      isEither
      ? ["answered": letters, "stillWaiting": 0]
      : ["receipts": receipts, "lost": lost, "cancelled": cancelled, "stillWaiting": 0]
    if !isEarly { figures["carried"] = letters }
    return Ending(name, ["LetterBox": 1], tasks: ["sender": letters], figures: figures) { lab in
      let stage = LetterBoxJudge(lab)
      stage.write(letters, isAlike: isAlike)
      try stage.send(isEarly: isEarly)
      for step in steps(stage) { try step() }
      try stage.close(isEither: isEither)
    }
  }

  private func write(_ count: Int, isAlike: Bool) {
    AppWide.keep(post, for: lab.ledger)
    (letters, receipts) = (Secret.words(count), Secret.numbers(count))
    if isAlike { (letters[1], receipts[1]) = (letters[0], receipts[0]) }
  }

  private func send(isEarly: Bool) throws {
    try lab.step("a letter box is put up") { box = Box(post: post) }
    try lab.step(isEarly ? "the senders come, and are cancelled at once" : "the letters are sent") {
      senders = zip(letters, receipts).compactMap { letter, receipt in
        guard let box else { return nil }
        return Task(probe: "sender") { [results] in
          do {
            results.add(try await box.send(letter) == receipt ? "receipt" : "other receipt")
          } catch {
            results.add(
              error is Lost ? "lost" : error is CancellationError ? "cancelled" : "other error")
          }
        }
      }
      if isEarly { cancelAll() }
    }
    if !isEarly { lab.ledger.setMetric("carried", post.letters.count(where: letters.contains)) }
  }

  private func arrive() throws { try lab.step("the letters arrive") { post.deliver(receipt) } }

  private func cancel() throws { try lab.release("the senders are cancelled") { cancelAll() } }

  private func arriveAndCancel() throws {
    try lab.step("the letters arrive, and the senders are cancelled at once") {
      post.deliver(receipt)
      cancelAll()
    }
  }

  private func cancelFirst() throws {
    try lab.release("the first sender is cancelled") { senders[0].cancel() }
  }

  private func loseSecond() throws {
    try lab.step("all but the second letter arrive") {
      post.deliver { $0 == letters[1] ? nil : receipt(of: $0) }
    }
  }

  private func cancelAll() { for sender in senders { sender.cancel() } }

  private func receipt(of letter: String) -> Int? {
    zip(letters, receipts).first { $0.0 == letter }?.1
  }

  private func close(isEither: Bool) throws {
    let results = results.all
    func count(_ result: String) -> Int { results.count { $0 == result } }
    lab.ledger.setMetric("stillWaiting", lab.ledger.totals.liveTasks)
    if isEither {
      lab.ledger.setMetric("answered", count("receipt") + count("cancelled"))
    } else {
      lab.ledger.setMetrics([
        "receipts": count("receipt"), "lost": count("lost"), "cancelled": count("cancelled"),
      ])
    }
    try lab.release("the letter box is dropped") { (box, senders) = (nil, []) }
    // What the post still has would be called when the house is gone.
    post.deliver { _ in nil }
  }
}
