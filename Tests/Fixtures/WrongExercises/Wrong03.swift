import Exercises
import MemlabKit

/// Wrong solutions of exercise 03.
enum Wrong03: String, Mistakes {
  case none, asShipped, strongSelf, unownedSelf, noDeinit, removesAll, removesNone, fakesCount
  case sharesStream, publishesNothing, publishesOnce, finishesOnPublish, exits, detached,
    replays
  case refusesThird, countsAsNumbers

  nonisolated(unsafe) static var now = Wrong03.none

  static let all = solutions(
    of: .newsDesk(NewsDesk.self),
    [
      .asShipped: "The desk must remove a reader when its stream is over",
      .strongSelf: "What holds the desk from onTermination?",
      .unownedSelf: "the reference is weak",
      .noDeinit: "The desk's deinit must finish the streams of those who wait.",
      .removesAll: "and only that one",
      .removesNone: "The desk must remove a reader when its stream is over",
      .fakesCount: "onTheList should be",
      .sharesStream: "Every reader must get every item",
      .publishesNothing: "Every reader must get every item",
      .publishesOnce: "Every reader must get every item",
      .finishesOnPublish: "received should be",
      .exits: "Your code ended the process, with code 0",
      .detached: "held by",
      .replays: "received should be",
      .refusesThird: "Every reader must get every item",
      .countsAsNumbers: "Every reader must get every item",
    ]
  ) { now = $0 }

  actor NewsDesk: NewsDeskUnderStudy {
    private var readers: [Int: AsyncStream<String>.Continuation] = [:]
    private var lastNumber = 0
    private var items: [String] = []
    private var shared: AsyncStream<String>?
    private let probe = Probe(NewsDesk.self)

    var readerCount: Int { now == .fakesCount ? 1 : readers.count }

    func subscribe() -> AsyncStream<String> {
      if let shared, now == .sharesStream { return shared }
      let (stream, continuation) = AsyncStream<String>.makeStream()
      shared = stream
      if now == .refusesThird, readers.count == 2 {
        continuation.finish()
        return stream
      }
      lastNumber += 1
      let number = now == .countsAsNumbers ? readers.count : lastNumber
      readers[number] = continuation
      if now == .replays { for item in items { continuation.yield(item) } }
      listen(to: continuation, number)
      return stream
    }

    private func listen(to continuation: AsyncStream<String>.Continuation, _ number: Int) {
      switch now {
      case .asShipped, .removesNone: break
      case .strongSelf:
        continuation.onTermination = { _ in Task { await self.remove(number) } }
      case .unownedSelf:
        // `[unowned self]` twice crashes the compiler of Swift 6.2.
        continuation.onTermination = { [unowned desk = self] _ in
          Task { [unowned desk] in await desk.remove(number) }
        }
      case .detached:
        continuation.onTermination = { _ in Task.detached { await self.remove(number) } }
      default:
        continuation.onTermination = { [weak self] _ in
          Task { [weak self] in await self?.remove(number) }
        }
      }
    }

    func publish(_ item: String) {
      switch now {
      case .publishesNothing: return
      case .exits: Sabotage.leave()
      case .publishesOnce where items.count > 0: return
      default: break
      }
      items.append(item)
      for reader in readers.values {
        reader.yield(item)
        if now == .finishesOnPublish { reader.finish() }
      }
    }

    private func remove(_ number: Int) {
      if now == .removesAll { readers = [:] }
      readers[number] = nil
    }

    deinit {
      if now == .noDeinit { return }
      for reader in readers.values { reader.finish() }
    }
  }
}
