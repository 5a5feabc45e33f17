import MemlabKit
import Synchronization

/// A use case whose endings are measured.
protocol DataCacheUseCaseUnderStudy: AnyObject {
  /// A use case for this repository.
  init(dataCacheRepo: any DataCacheRepo)
  /// The class's property, without `await`.
  ///
  /// Refining the document's protocol, whose property is `async`, crashes the compiler (6.3.1) where
  /// this one is read.
  var didChangeDataCache: AsyncThrowingStream<Void, any Error> { get }
}

/// Holds the objects of “Swift AsyncStream and memory management” from outside, and runs the steps
/// of its endings.
///
/// The five steps of the document differ only in the use case.
final class DataCacheStage {
  /// Starts the task that iterates a use case's stream.
  typealias Consumer =
    @Sendable (any DataCacheUseCaseUnderStudy) -> Task<Void, any Error>

  private let lab: Lab
  private let consume: Consumer
  private let type: any DataCacheUseCaseUnderStudy.Type
  @Variable("repository") private var repository: DataCacheRepoImpl?
  @Variable("useCase") private var useCase: (any DataCacheUseCaseUnderStudy)?
  @Variable("consumer") private var consumer: Task<Void, any Error>?

  /// An empty stage for this type of use case.
  ///
  /// - Parameter consume: how the consumer gets the stream.
  init(
    _ lab: Lab, for useCase: any DataCacheUseCaseUnderStudy.Type,
    consumedBy consume: @escaping Consumer
  ) {
    (self.lab, type, self.consume) = (lab, useCase, consume)
  }

  /// Creates the use case, starts a consumer of its stream, and sends one change.
  func open() throws {
    try lab.step("the use case is created") {
      repository = DataCacheRepoImpl()
      useCase = repository.map { type.init(dataCacheRepo: $0) }
    }
    let subscribed: @Sendable () -> Bool = { [weak repository] in repository?.subscribers == 1 }
    try lab.step("a consumer starts observing", until: subscribed) {
      consumer = useCase.map(consume)
    }
    try lab.step("the repository sends one change", until: lab.ledger.noted("consumer received", 1))
    {
      repository?.sendChange()
    }
  }

  /// Cancels the consumer and waits until it has ended.
  func cancelConsumer() throws {
    let ledger = lab.ledger
    let ended: @Sendable () -> Bool = { ledger.totals.task("consumer").live == 0 }
    try lab.release("the consumer is cancelled", until: ended) {
      consumer?.cancel()
      consumer = nil
    }
  }

  /// Finishes the repository's stream.
  func finishRepository() throws {
    try lab.release("the repository finishes its stream") { repository?.finish() }
  }

  /// Drops every reference that the stage holds: the use case first, then the repository.
  func dropOwner() throws {
    try lab.release("the use case is dropped") { useCase = nil }
    try lab.release("the repository is dropped") {
      repository = nil
      consumer = nil
    }
  }
}

/// Iterates the stream in a task that holds only the stream, not the use case.
@Sendable func consumeStream(of useCase: any DataCacheUseCaseUnderStudy) -> Task<Void, any Error> {
  let stream = useCase.didChangeDataCache
  return Task(probe: "consumer") {
    for try await _ in stream { Ledger.current?.note("consumer received") }
  }
}

/// The endings of each step of “Swift AsyncStream and memory management”.
struct DataCacheEndings<UseCase: DataCacheUseCaseUnderStudy> {
  /// How the consumer gets the stream.
  let consume: DataCacheStage.Consumer

  /// The endings for a use case of this type.
  ///
  /// - Parameter consume: how the consumer gets the stream; by default, its task holds nothing else.
  init(
    of useCase: UseCase.Type, consumedBy consume: @escaping DataCacheStage.Consumer = consumeStream
  ) { self.consume = consume }

  private var stage: @Sendable (Lab) -> DataCacheStage {
    { [consume] in DataCacheStage($0, for: UseCase.self, consumedBy: consume) }
  }

  /// The consumer is cancelled while the owner is alive, as when a screen is closed properly.
  var cancel: SharedEnding {
    SharedEnding("cancel", "the consumer is cancelled, then the owner is dropped", on: stage) {
      [$0.open, $0.cancelConsumer, $0.dropOwner]
    }
  }

  /// The owner is dropped while a consumer still waits for its next value.
  var drop: SharedEnding {
    SharedEnding("drop", "the owner is dropped while the consumer still waits", on: stage) {
      [$0.open, $0.dropOwner]
    }
  }

  /// The source finishes.
  var finish: SharedEnding {
    SharedEnding(
      "finish", "the repository finishes its stream, then the owner is dropped", on: stage
    ) { [$0.open, $0.finishRepository, $0.dropOwner] }
  }
}

extension Declaration {
  /// The counts of one repository, one use case and the two tasks.
  ///
  /// - Parameters:
  ///   - useCase: who holds the use case in the end; nil where it is deinitialised.
  ///   - repo: who holds the repository in the end; nil where it is deinitialised.
  ///   - consumer: how many consumers have finished, 0 or 1.
  ///   - forwarder: how many forwarders have finished, 0 or 1.
  static func dataCache(
    _ verdict: Verdict, useCase: DeclaredHolder? = nil, repo: DeclaredHolder? = nil,
    consumer: Int, forwarder: Int
  ) -> Declaration {
    .one(
      verdict, ["DataCacheUseCaseImpl": useCase, "DataCacheRepoImpl": repo],
      finished: ["consumer": consumer, "forwarder": forwarder])
  }
}

extension DeclaredHolder {
  /// A use case, by its repository.
  static let useCase = field("dataCacheRepo", of: "DataCacheUseCaseImpl")
}

/// The repository, which the document does not show. It hands out streams of changes and never ends
/// them by itself, like the cache of a whole app.
final class DataCacheRepoImpl: DataCacheRepo, Sendable {
  private let probe = Probe(DataCacheRepoImpl.self)
  private let continuations = Mutex<[AsyncThrowingStream<Void, any Error>.Continuation]>([])

  /// A new stream for each subscriber.
  var didChangeDataCache: AsyncThrowingStream<Void, any Error> {
    get async {
      AsyncThrowingStream { continuation in continuations.withLock { $0.append(continuation) } }
    }
  }

  /// How many streams have been handed out.
  var subscribers: Int { continuations.withLock { $0.count } }

  /// Sends a change to every subscriber.
  func sendChange() { for continuation in continuations.withLock({ $0 }) { continuation.yield() } }

  /// Finishes every subscriber's stream.
  func finish() { for continuation in continuations.withLock({ $0 }) { continuation.finish() } }
}

// snippet:protocols
protocol DataCacheRepo {
  var didChangeDataCache: AsyncThrowingStream<Void, Swift.Error> { get async }
}

public protocol DataCacheUseCase {
  var didChangeDataCache: AsyncThrowingStream<Void, Swift.Error> { get async }
}
// snippet:end
