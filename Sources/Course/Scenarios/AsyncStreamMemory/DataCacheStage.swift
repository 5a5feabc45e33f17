import MemlabKit

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
  private let makeUseCase: (any DataCacheRepo) -> any DataCacheUseCaseUnderStudy
  @Variable("repository") private var repository: DataCacheRepoImpl?
  @Variable("useCase") private var useCase: (any DataCacheUseCaseUnderStudy)?
  @Variable("consumer") private var consumer: Task<Void, any Error>?

  /// An empty stage for this type of use case.
  init(_ lab: Lab, for useCase: any DataCacheUseCaseUnderStudy.Type) {
    self.lab = lab
    makeUseCase = { useCase.init(dataCacheRepo: $0) }
  }

  /// Creates the use case, starts a consumer of its stream, and sends one change.
  ///
  /// - Parameter consume: how the consumer gets the stream.
  func open(consumedBy consume: Consumer) throws {
    let ledger = lab.ledger
    try lab.step("the use case is created") {
      let repository = DataCacheRepoImpl()
      self.repository = repository
      useCase = makeUseCase(repository)
    }
    let subscribed: @Sendable () -> Bool = { [weak repository] in repository?.subscribers == 1 }
    try lab.step("a consumer starts observing", until: subscribed) {
      consumer = useCase.map(consume)
    }
    let received: @Sendable () -> Bool = { ledger.notes(of: "consumer received") == 1 }
    try lab.step("the repository sends one change", until: received) { repository?.sendChange() }
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
