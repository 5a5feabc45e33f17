import AsyncAlgorithms
import LeakCheck
import Synchronization
import Testing

@Suite("The operators of swift-async-algorithms, through the life cycles of a consumer")
struct OperatorTests {
  @Test("nothing is left", arguments: Operator.all, LifeCycle.allCases)
  func clean(subject: Operator, cycle: LifeCycle) async {
    if cycle == .brokenOff, subject.isBuffer { return }
    await expectNoLeaksOfManyLives { await subject.live(cycle) }
  }

  @Test("nothing is left of a timer", arguments: [LifeCycle.cancelled, .brokenOff, .neverRead])
  func timer(cycle: LifeCycle) async {
    await expectNoLeaksOfManyLives { await Operator.timer.live(cycle) }
  }

  // https://github.com/apple/swift-async-algorithms/pull/352
  @Test("broken off, buffer's task waits forever", arguments: Operator.buffers)
  func buffer(policy: Operator) async {
    await knownLeak(
      "the iterator of buffer() does not tell its task when it goes",
      naming: ["a task created in startTask()"]
    ) { await expectNoLeaks { await policy.live(.brokenOff) } }
  }

  // Its `Failure` is that of the outer sequence, `Never`, to which the inner one's error is cast.
  @Test("joined() of sequences that can fail, in one that cannot, crashes") func joined() async {
    await #expect(processExitsWith: .failure) {
      await LifeCycle.fails.live {
        [AsyncThrowingStream<Int, any Error> { $0.finish(throwing: CancellationError()) }].async
          .joined()
      }
    }
  }
}

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

/// How the life of a consumed sequence goes on and ends.
enum LifeCycle: CaseIterable {
  case finishes, fails, cancelled, brokenOff, neverRead

  /// A source with three values, which are watched.
  ///
  /// One that neither finishes nor fails has no more to say, and ends with the task that reads it.
  func source() -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream { continuation in
      for number in 1...3 { continuation.yield(watch(Value(number))) }
      switch self {
      case .finishes: continuation.finish()
      case .fails: continuation.finish(throwing: SourceFailure())
      case .cancelled, .brokenOff, .neverRead: break
      }
    }
  }

  /// Lives it with a sequence.
  ///
  /// - Parameter sequence: makes the sequence, in the task that reads it.
  func live(_ sequence: @escaping @Sendable () -> some AsyncSequence & SendableMetatype) async {
    switch self {
    case .finishes, .fails: await read(sequence())
    case .brokenOff: await read(sequence(), atMost: 1)
    case .neverRead: _ = sequence().makeAsyncIterator()
    case .cancelled:
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let consumer = Task { await read(sequence()) { beginning.finish() } }
      for await _ in begun {}
      consumer.cancel()
      await consumer.value
    }
  }

  private func read(
    _ sequence: some AsyncSequence, atMost limit: Int = .max, onValue: () -> Void = {}
  ) async {
    var count = 0
    do {
      for try await _ in sequence {
        onValue()
        count += 1
        if count == limit { break }
      }
    } catch {}
  }
}

/// What a source delivers.
final class Value: Equatable, Sendable {
  private let number: Int

  /// A value that is equal to those of the same number.
  init(_ number: Int) { self.number = number }

  static func == (one: Value, other: Value) -> Bool { one.number == other.number }
}

private struct SourceFailure: Error {}

/// Expects that nothing is left of a life, two hundred times: ten lives to a check.
func expectNoLeaksOfManyLives(_ life: () async throws -> Void) async rethrows {
  for _ in 0..<20 { try await expectNoLeaks { for _ in 0..<10 { try await life() } } }
}

/// Runs a check that is known to fail, for the leaks that are meant and no other.
///
/// - Parameters:
///   - names: what the failures may name, and each of which one must.
///   - isRare: whether a race decides, so that there may be no failure.
func knownLeak(
  _ comment: Comment, naming names: [String], isRare: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation, _ check: () async throws -> Void
) async rethrows {
  let found = Mutex<[String]>([])
  try await withKnownIssue(comment, isIntermittent: isRare, sourceLocation: sourceLocation) {
    try await check()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined(separator: "\n")
    guard names.contains(where: text.contains) else { return false }
    found.withLock { $0.append(text) }
    return true
  }
  let texts = found.withLock { $0 }
  for name in names where !isRare {
    #expect(
      texts.contains { $0.contains(name) }, "\(name) in \(texts)", sourceLocation: sourceLocation)
  }
}
