import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 02.
enum Wrong02: String, Mistakes {
  case none, ignoresSource, breaksAfterFirst, noOnTermination, guardsBeforeLoop, noDeinit, noFinish
  case exits, unprobed, detached, sendsEuros, keepsNewest, pretends, skipsEqual, fakesForwarder
  case swallowsFirst, holdsStream, fourPrices, keepsThree, sharesContinuation, sharesForwarder
  case endsWhenIdle, sendsAtTheEnd, guardsInLoop, keepsHandles, strongOnTermination, finishesAtOnce
  case clamps, sendsInPairs, unownedSelf, forwarderFinishes, startsAtOnce

  static let all = solutions(
    of: TickerJudge<Ticker>.exercise,
    [
      "Every price of the source must reach the reader, as cents.": [
        .ignoresSource, .breaksAfterFirst,
      ],
      "The event itself must end both tasks; the ticker may live on.": [
        .noOnTermination, .guardsInLoop,
      ],
      "Ticker is still alive at the end, held by task forwarder": [.guardsBeforeLoop],
      "The task reader never finishes": [.noDeinit],
      "The event itself must end both tasks": [.noFinish],
      "No task forwarder was counted": [.unprobed, .detached],
      "as cents": [.sendsEuros],
      "Every price of the source must reach the reader": [
        .keepsNewest, .fourPrices, .keepsThree, .sharesContinuation, .sharesForwarder,
        .endsWhenIdle, .sendsAtTheEnd, .finishesAtOnce, .clamps, .sendsInPairs,
      ],
      "pricesLost should be 0": [.skipsEqual, .swallowsFirst],
      "The probes do not tell what the heap shows": [.fakesForwarder],
      "The task forwarder never finishes": [.holdsStream],
      "although no object with a probe is left": [.keepsHandles],
      "Which closure uses self, and for how long?": [.strongOnTermination],
      "Where the object may be gone first, the reference is weak.": [.unownedSelf],
    ], right: [.forwarderFinishes, .startsAtOnce])

  nonisolated(unsafe) static var shared: AsyncStream<Int>.Continuation?
  nonisolated(unsafe) static var task: Task<Void, Never>?
  nonisolated(unsafe) static var handles: [Task<Void, Never>] = []

  final class Ticker: TickerUnderStudy {
    private let source: PriceSource
    private var continuation: AsyncStream<Int>.Continuation?
    private var forwarder: Task<Void, Never>?
    private let probe = Probe(Ticker.self)

    lazy var prices: AsyncStream<Int> = AsyncStream(
      bufferingPolicy: now == .keepsNewest
        ? .bufferingNewest(1) : now == .keepsThree ? .bufferingNewest(3) : .unbounded
    ) { continuation in
      let forwarder = start(continuation)
      shared = continuation
      task = forwarder
      if now == .keepsHandles { handles.append(forwarder) }
      if now == .finishesAtOnce { continuation.finish() }
      if now == .strongOnTermination {
        self.forwarder = forwarder
        continuation.onTermination = { _ in self.forwarder?.cancel() }
      } else if now == .sharesForwarder {
        continuation.onTermination = { _ in task?.cancel() }
      } else if now != .noOnTermination, now != .holdsStream, now != .guardsInLoop {
        continuation.onTermination = { _ in forwarder.cancel() }
      }
      self.forwarder =
        now == .noOnTermination || now == .forwarderFinishes ? forwarder : self.forwarder
      self.continuation = continuation
    }

    init(source: PriceSource) {
      self.source = source
      if now == .startsAtOnce { _ = prices }
    }

    deinit {
      switch now {
      case .noDeinit: break
      case .sharesContinuation: shared?.finish()
      case .sharesForwarder: task?.cancel()
      case .forwarderFinishes: forwarder?.cancel()
      default:
        forwarder?.cancel()
        continuation?.finish()
      }
    }

    private func start(_ continuation: AsyncStream<Int>.Continuation) -> Task<Void, Never> {
      switch now {
      case .unprobed: return Task { [source] in await Self.forward(source, continuation) }
      case .detached: return Task.detached { [source] in await Self.forward(source, continuation) }
      case .fakesForwarder:
        Task(probe: "forwarder") {}
        return Task { [source] in
          await Self.forward(source, continuation)
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      case .guardsInLoop:
        return Task(probe: "forwarder") { [weak self, source] in
          for await price in source.prices {
            guard self != nil else { break }
            continuation.yield(price * 100)
          }
          continuation.finish()
        }
      case .unownedSelf:
        return Task(probe: "forwarder") { [unowned self] in
          for await price in self.source.prices { continuation.yield(price * 100) }
          continuation.finish()
        }
      case .guardsBeforeLoop:
        return Task(probe: "forwarder") { [weak self] in
          guard let self else { return }
          for await price in self.source.prices { continuation.yield(price * 100) }
          continuation.finish()
        }
      default:
        return Task(probe: "forwarder") { [source] in await Self.forward(source, continuation) }
      }
    }

    private static func forward(
      _ source: PriceSource, _ continuation: AsyncStream<Int>.Continuation
    ) async {
      if now == .ignoresSource {
        continuation.yield(200)
        return continuation.finish()
      }
      var count = 0
      var kept: [Int] = []
      if now == .endsWhenIdle {
        Task {
          try? await Task.sleep(for: .seconds(30))
          continuation.finish()
        }
      }
      for await price in source.prices {
        count += 1
        if now == .exits { Sabotage.leave() }
        if now == .pretends { Sabotage.pretend() }
        if now == .swallowsFirst, count == 1 { continue }
        if now == .skipsEqual, count > 1, count % 2 == 0 { continue }
        if now == .sendsAtTheEnd || now == .sendsInPairs {
          kept.append(price * 100)
          if now == .sendsInPairs, kept.count == 2 {
            for price in kept { continuation.yield(price) }
            kept = []
          }
          continue
        }
        let price = now == .clamps ? min(price, 5_000) : price
        continuation.yield(now == .sendsEuros ? price : price * 100)
        if now == .breaksAfterFirst { break }
        if now == .fourPrices, count == 4 { break }
      }
      for price in kept { continuation.yield(price) }
      if now != .noFinish { continuation.finish() }
    }
  }
}
