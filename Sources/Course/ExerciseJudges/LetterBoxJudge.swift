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

/// What happens to the letters.
private enum PostEvent: Sendable {
  case arrive, cancel, cancelFirst, loseSecond, arriveAndCancel
}

/// Exercise 18: a letter box, the post, and its senders.
package final class LetterBoxJudge<Box: LetterBoxUnderStudy>: Judge {
  /// The number of the exercise.
  package static var number: String { "18" }

  private let post = Post()
  private let lab: Lab
  private let letters: [String]
  private let receipts: [Int]
  private let results = Seen<String>()
  private var box: Box?
  private var senders: [Task<Void, Never>] = []

  private init(_ lab: Lab, letters count: Int, isAlike: Bool) {
    self.lab = lab
    let (letters, receipts) = (Secret.words(count), Secret.numbers(count))
    self.letters = isAlike ? [letters[0], letters[0]] : letters
    self.receipts = isAlike ? [receipts[0], receipts[0]] : receipts
    AppWide.keep(post, for: lab.ledger)
  }

  /// The endings of the exercise.
  package static var endings: [Ending] {
    [
      ending("arrives", [.arrive], receipts: 2),
      // Letters that have one fate do not show who took the news of another.
      ending("lost", [.cancelFirst, .loseSecond], letters: 3, receipts: 1, lost: 1, cancelled: 1),
      ending("cancel", [.cancel], cancelled: 2),
      ending("late", [.cancel, .arrive], isAlike: true, cancelled: 2),
      // Either answer will do. Code in which both have a continuation of their own resumes twice.
      ending("moment", [.arriveAndCancel], isEither: true),
      ending("early", [.cancel], isEarly: true, cancelled: 2),
    ]
  }

  private static func ending(
    _ name: String, _ events: [PostEvent], isEarly: Bool = false, isAlike: Bool = false,
    isEither: Bool = false, letters: Int = 2, receipts: Int = 0, lost: Int = 0, cancelled: Int = 0
  ) -> Ending {
    var figures: [Metric: Int] =
      isEither
      ? ["answered": letters, "stillWaiting": 0]
      : ["receipts": receipts, "lost": lost, "cancelled": cancelled, "stillWaiting": 0]
    if !isEarly { figures["carried"] = letters }
    return Ending(name, ["LetterBox": 1], tasks: ["sender": letters], figures: figures) { lab in
      let stage = LetterBoxJudge(lab, letters: letters, isAlike: isAlike)
      try stage.send(isEarly: isEarly)
      for event in events { try stage.play(event) }
      try stage.close(isEither: isEither)
    }
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
      if isEarly { for sender in senders { sender.cancel() } }
    }
    if !isEarly { lab.ledger.setMetric("carried", post.letters.count(where: letters.contains)) }
  }

  private func play(_ event: PostEvent) throws {
    switch event {
    case .arrive:
      try lab.step("the letters arrive") { post.deliver { receipt(of: $0) } }
    case .cancel:
      try lab.release("the senders are cancelled") { for sender in senders { sender.cancel() } }
    case .arriveAndCancel:
      try lab.step("the letters arrive, and the senders are cancelled at once") {
        post.deliver { receipt(of: $0) }
        for sender in senders { sender.cancel() }
      }
    case .cancelFirst: try lab.release("the first sender is cancelled") { senders[0].cancel() }
    case .loseSecond:
      try lab.step("all but the second letter arrive") {
        post.deliver { $0 == letters[1] ? nil : receipt(of: $0) }
      }
    }
  }

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
