import MemlabKit

extension Scenario {
  private static let endings = DataCacheEndings(
    of: DeinitFinish.DataCacheUseCaseImpl.self, consumedBy: CapturedOwner.consume)

  /// `captured-owner`: the consumer captures the owner of its stream.
  static let capturedOwner = Scenario(
    id: "captured-owner", title: "the consumer captures the owner of its stream",
    document: .asyncStreamMemory, place: "its consumer, with step 5",
    lesson: "02-five-steps-to-a-stream-that-ends",
    question: "This is the fixed use case, with the consumer as the document prints it. Does "
      + "anything stay alive now?",
    hint: "Which reference must be released before deinit can run, and who holds it?",
    beliefs: [
      .nobody("The use case was fixed one step before."),
      .cycle("The use case holds the stream that the consumer waits for."),
    ], next: "weak-self-loop", fixedBy: "deinit-finish",
    code: ["Course/Scenarios/AsyncStreamMemory/DeinitFinish.swift#code"],
    endings: [
      endings.cancel(
        expects: .dataCache(.clean, consumer: 1, forwarder: 1),
        explanation: "Cancelling ends the consumer's loop. Its task releases the use case, and "
          + "everything else follows."),
      endings.drop(
        expects: .dataCache(
          .leak, useCase: .task("consumer"), repo: .task("forwarder"), consumer: 0, forwarder: 0),
        explanation: "The consumer reads dataCacheUseCase.didChangeDataCache inside its task, so "
          + "it holds the owner while it waits. deinit would end the wait, but it never runs."),
      endings.finish(
        expects: .dataCache(
          .leak, useCase: .task("consumer"), repo: .useCase, consumer: 0, forwarder: 1),
        explanation: "The forwarder ends. The consumer still waits and holds the use case, which "
          + "holds the repository."),
    ])
}

/// The document's consumer. The document shows it before its first step, and not again.
enum CapturedOwner {
  /// Iterates the stream in a task that holds the use case.
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
