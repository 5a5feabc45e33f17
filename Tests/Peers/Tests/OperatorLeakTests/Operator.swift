import AsyncAlgorithms
import Testing

/// An operator of swift-async-algorithms, over sources of one life cycle.
struct Operator: Sendable, CustomTestStringConvertible {
  /// Its name.
  let testDescription: String
  private let run: @Sendable (LifeCycle) async -> Void

  /// An operator that makes a sequence of sources.
  init(
    _ name: String,
    _ sequence: @escaping @Sendable (LifeCycle) -> some AsyncSequence & SendableMetatype
  ) {
    testDescription = name
    run = { cycle in await cycle.live { sequence(cycle) } }
  }

  /// Has the operator live a life cycle once.
  func live(_ cycle: LifeCycle) async { await run(cycle) }

  /// Whether it is `buffer`, of which something stays when it is broken off.
  var isBuffer: Bool { testDescription.hasPrefix("buffer") }

  /// All but the timer, which does not end, and `share`, which has tests of its own.
  static let all = several + timed + single + buffers

  private static let several = [
    Operator("merge of two") { merge($0.source(), $0.source()) },
    Operator("merge of three") { merge($0.source(), $0.source(), $0.source()) },
    Operator("zip of two") { zip($0.source(), $0.source()) },
    Operator("zip of three") { zip($0.source(), $0.source(), $0.source()) },
    Operator("combineLatest of two") { combineLatest($0.source(), $0.source()) },
    Operator("combineLatest of three") { combineLatest($0.source(), $0.source(), $0.source()) },
    Operator("chain of two") { chain($0.source(), $0.source()) },
    Operator("chain of three") { chain($0.source(), $0.source(), $0.source()) },
    Operator("joined") { cycle in cycle.source().map { _ in cycle.source() }.joined() },
  ]

  private static let timed = [
    Operator("debounce") { $0.source().debounce(for: .microseconds(50)) },
    Operator("throttle") { $0.source()._throttle(for: .nanoseconds(1)) },
    Operator("chunks by count or timer") {
      $0.source().chunks(ofCount: 2, or: .repeating(every: .milliseconds(1)))
    },
    Operator("chunked by timer") { $0.source().chunked(by: .repeating(every: .microseconds(50))) },
  ]

  private static let single = [
    Operator("chunks of count") { $0.source().chunks(ofCount: 2) },
    Operator("chunked by group") { $0.source().chunked(by: ==) },
    Operator("removeDuplicates") { $0.source().removeDuplicates() },
    Operator("adjacentPairs") { $0.source().adjacentPairs() },
    Operator("compacted") { $0.source().map { Optional($0) }.compacted() },
    Operator("reductions") { $0.source().reductions { $1 } },
    Operator("interspersed") { $0.source().interspersed(with: Value(0)) },
  ]

  /// One that neither finishes nor fails.
  static let timer = Operator("AsyncTimerSequence") { _ in
    AsyncTimerSequence.repeating(every: .microseconds(50))
  }

  /// `buffer`, by policy.
  static let buffers = [
    Operator("buffer, bounded") { $0.source().buffer(policy: .bounded(1)) },
    Operator("buffer, unbounded") { $0.source().buffer(policy: .unbounded) },
    Operator("buffer, latest") { $0.source().buffer(policy: .bufferingLatest(2)) },
    Operator("buffer, oldest") { $0.source().buffer(policy: .bufferingOldest(2)) },
  ]

  /// `share`, by policy.
  static let shares = [
    Operator("share, bounded") { $0.source().share() },
    Operator("share, unbounded") { $0.source().share(bufferingPolicy: .unbounded) },
    Operator("share, latest") { $0.source().share(bufferingPolicy: .bufferingLatest(2)) },
  ]
}
