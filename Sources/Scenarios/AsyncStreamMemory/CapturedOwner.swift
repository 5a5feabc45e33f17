import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(
    of: DeinitFinish.DataCacheUseCaseImpl.self, consumedBy: CapturedOwner.consume)

  static let capturedOwner = Scenario(
    id: "captured-owner",
    title: "the consumer captures the owner of its stream",
    document: .asyncStreamMemory,
    place: "its consumer, with step 5",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "The use case is the mended one, the consumer is the one that the document prints. "
      + "Does anything stay behind now?",
    hint: "What must go away before deinit can run, and who holds it?",
    fixedBy: "deinit-finish",
    code: ["Scenarios/AsyncStreamMemory/DeinitFinish.swift#code"],
    endings: [
      endings.cancel(
        expects: .dataCache(.clean, useCase: 1, repo: 1, consumer: 1, forwarder: 1),
        explanation: "Cancelling ends the consumer's loop; its task lets go of the use case, and "
          + "the rest follows."),
      endings.drop(
        expects: .dataCache(
          .leak, useCase: 0, repo: 0, consumer: 0, forwarder: 0,
          useCaseHeld: .task("consumer"), repoHeld: .task("forwarder")),
        explanation: "The consumer reads dataCacheUseCase.didChangeDataCache inside its task, and "
          + "so holds the owner while it waits: deinit, which would end the wait, never runs."),
      endings.finish(
        expects: .dataCache(
          .leak, useCase: 0, repo: 0, consumer: 0, forwarder: 1,
          useCaseHeld: .task("consumer"), repoHeld: .useCase),
        explanation: "The forwarder ends, the consumer waits on, and holds the use case, which "
          + "holds the repository."),
    ])
}

/// The document's consumer, which comes before its first step and is not spoken of again.
enum CapturedOwner {
  @Sendable static func consume(
    _ dataCacheUseCase: any DataCacheUseCaseUnderStudy
  ) -> Task<Void, any Error> {
    // snippet:code
    let task: Task = .init(probe: "consumer") {
      for try await _ in dataCacheUseCase.didChangeDataCache {
        Ledger.current?.note("consumer received")
      }
    }
    // snippet:end
    return task
  }
}
