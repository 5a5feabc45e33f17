import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 03.
enum Wrong03: String, Mistakes {
  case none, asShipped, strongSelf, unownedSelf, noDeinit, removesAll, removesNone, fakesCount
  case sharesStream, publishesNothing, publishesOnce, finishesOnPublish, exits, detached, replays
  case refusesThird, countsAsNumbers, sharesList, removesFirst, removesLast, purgesOnPublish
  case keepsTwo, endsFirst, collects, onlyFirst, doubles, unsafelyUnowned, locksList, finishesInTask

  static let all = solutions(
    of: NewsDeskJudge<NewsDesk>.exercise,
    [
      "The desk must remove a reader when its stream is over": [
        .asShipped, .removesNone, .purgesOnPublish,
      ],
      "What holds the desk from onTermination?": [.strongSelf],
      "the reference is weak": [.unownedSelf],
      "The desk's deinit must finish the streams of those who wait.": [.noDeinit],
      "and only that one": [.removesAll],
      "onTheList should be": [.fakesCount],
      "Every reader must get every item": [
        .sharesStream, .publishesNothing, .publishesOnce, .refusesThird, .countsAsNumbers,
        .removesFirst, .removesLast, .keepsTwo, .endsFirst, .onlyFirst, .doubles,
      ],
      "received should be": [.finishesOnPublish, .replays],
      "held by": [.detached],
      "onTheList should be 2": [.sharesList],
    ], right: [.locksList, .finishesInTask])

  typealias Stream = AsyncStream<String>.Continuation
  typealias Streams = [Int: Stream]

  nonisolated(unsafe) static var sharedList: Streams = [:]
  nonisolated(unsafe) static var lastShared = 0
  nonisolated(unsafe) static var everyReader: [AsyncStream<String>.Continuation] = []

  actor NewsDesk: NewsDeskUnderStudy {
    private var ownReaders: Streams = [:]
    private let list = LockedList<Stream>()
    private var readers: Streams {
      get { Self.chosen(ownReaders, list) }
      set { if now == .sharesList { sharedList = newValue } else { ownReaders = newValue } }
    }
    // `deinit` is not isolated, and cannot ask `readers`.
    private static func chosen(_ own: Streams, _ list: LockedList<Stream>) -> Streams {
      now == .sharesList ? sharedList : now == .locksList ? list.all : own
    }
    private var lastNumber = 0
    private var items: [String] = []
    private var shared: AsyncStream<String>?
    private let probe = Probe(NewsDesk.self)

    var readerCount: Int { now == .fakesCount ? 1 : readers.count }

    func subscribe() -> AsyncStream<String> {
      if let shared, now == .sharesStream { return shared }
      let (stream, continuation) = AsyncStream<String>.makeStream(
        bufferingPolicy: now == .keepsTwo ? .bufferingNewest(2) : .unbounded)
      if now == .collects { everyReader.append(continuation) }
      if now == .endsFirst, readers.count == 2 { readers.min { $0.key < $1.key }?.value.finish() }
      if now == .onlyFirst, !readers.isEmpty { return stream }
      shared = stream
      if now == .refusesThird, readers.count == 2 {
        continuation.finish()
        return stream
      }
      lastNumber += 1
      lastShared += 1
      let number =
        now == .sharesList ? lastShared : now == .countsAsNumbers ? readers.count : lastNumber
      readers[number] = continuation
      if now == .locksList { list.set(continuation, number) }
      if now == .replays { for item in items { continuation.yield(item) } }
      listen(to: continuation, number)
      return stream
    }

    private func listen(to continuation: AsyncStream<String>.Continuation, _ number: Int) {
      switch now {
      case .asShipped, .removesNone, .purgesOnPublish: break
      case .locksList: continuation.onTermination = { [list] _ in list.set(nil, number) }
      case .unsafelyUnowned:
        let desk = Unsafely(self)
        continuation.onTermination = { _ in Task { await desk.object?.remove(number) } }
      case .strongSelf: continuation.onTermination = { _ in Task { await self.remove(number) } }
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
      for (number, reader) in readers {
        if case .terminated = reader.yield(item), now == .purgesOnPublish { readers[number] = nil }
        if now == .doubles { reader.yield(item) }
        if now == .finishesOnPublish { reader.finish() }
      }
    }

    private func remove(_ number: Int) {
      if now == .removesAll { readers = [:] }
      let first = readers.keys.min() ?? number
      let last = readers.keys.max() ?? number
      readers[now == .removesFirst ? first : now == .removesLast ? last : number] = nil
    }

    deinit {
      if now == .noDeinit { return }
      if now == .finishesInTask {
        Task { [ownReaders] in for reader in ownReaders.values { reader.finish() } }
        return
      }
      for reader in Self.chosen(ownReaders, list).values { reader.finish() }
    }
  }
}
