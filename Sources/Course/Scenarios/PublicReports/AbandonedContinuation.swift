import MemlabKit

extension Scenario {
  /// `abandoned-continuation`: a continuation that nobody resumes.
  static let abandonedContinuation = Scenario(
    id: "abandoned-continuation", title: "a continuation that nobody resumes",
    document: .kingfisherContinuation, place: "its warning, rebuilt", lesson: "08-leaks-people-had",
    question: "A callback is wrapped in a continuation. Does the task that waits for it end?",
    hint: "Cancelling sets a flag and calls a handler. What resumes a suspended task?",
    beliefs: [
      .nobody("The task was cancelled, and people assume that a cancelled task ends."),
      .cycle("What stays alive without a variable is called a cycle."),
    ], next: "inner-weak-outer-strong",
    endings: [
      Ending(
        "answer", "the download is answered",
        expects: .one(.clean, ["Picture": nil], finished: ["load": 1]),
        explanation: "The callback resumes the continuation, and the task ends. A test that never "
          + "cancels finds nothing wrong.",
        on: { Stage($0) { await $0.image() } }, steps: { [$0.load, $0.answer, $0.dropPicture] }),
      Ending(
        "cancel", "the task is cancelled, then the picture is dropped",
        expects: .one(.leak, ["Picture": .task("load")], finished: ["load": 0]),
        explanation: "The handler discards the callback, and with it the only thing that could "
          + "resume the task. The task stays suspended on that line forever, and keeps everything "
          + "that it holds.",
        on: { Stage($0) { await $0.image() } }, steps: { [$0.load, $0.cancel, $0.dropPicture] }
      )
      .claiming(
        "tasks that wait on a leaked continuation may remain suspended forever",
        original: "This may cause tasks waiting on it to remain suspended forever."
      ) { $0.task("load").live == 1 }
      .asking(
        "A callback is wrapped in a continuation, and cancelling the task discards the callback. "
          + "What happens to the cancelled task?"),
      Ending(
        "handler", "the same, and the handler resumes what it discards",
        expects: .one(.clean, ["Picture": nil], finished: ["load": 1]),
        explanation: "Code that takes a callback out of the table must call it. The task is "
          + "resumed, finds that it has no image, and ends.",
        on: { Stage($0) { await $0.imageOrNil() } },
        steps: { [$0.load, $0.cancel, $0.dropPicture] }
      )
      .asking(
        "Cancelling the task discards the callback, and also calls it. What happens to the task "
          + "now?"),
      Ending(
        "early", "the same, and cancelled before it has begun",
        expects: .one(.clean, ["Picture": nil], finished: ["load": 1]),
        explanation: "The handler of a cancelled task runs at once, and finds no callback to "
          + "discard. That is why the fix checks again after the download has begun.",
        on: { Stage($0) { await $0.imageOrNil() } },
        steps: { [$0.loadAndCancel, $0.dropPicture] }
      )
      .asking(
        "The task is cancelled before it begins to wait, so there is no callback to discard yet. "
          + "Does it end?"),
    ])

  private typealias Stage = AbandonedContinuation.Stage
}

/// A callback in a continuation, with and without an end for cancelled tasks.
enum AbandonedContinuation {
  // snippet:code
  final class Picture {
    private var image: Int?
    private let probe = Probe(Picture.self)

    func load(_ download: @escaping () async -> Int?) -> Task<Void, Never> {
      Task(probe: "load") { image = await download() }
    }
  }
  // snippet:end

  /// A picture and the downloads that it waits for.
  final class Stage {
    private let downloads = Downloads()
    private let lab: Lab
    private let download: (Downloads) async -> Int?
    @Variable("picture") private var picture: Picture?
    @Variable("task") private var task: Task<Void, Never>?

    /// A picture that downloads in this way.
    init(_ lab: Lab, _ download: @escaping (Downloads) async -> Int?) {
      (self.lab, self.download) = (lab, download)
    }

    /// Starts the task that downloads.
    func load() throws {
      try lab.step("a picture is created and loads", until: lab.ledger.noted("download begun", 1)) {
        start()
      }
    }

    /// Starts the task and cancels it before it runs.
    func loadAndCancel() throws {
      try lab.step("a picture loads and is cancelled") {
        start()
        task?.cancel()
      }
    }

    /// Answers the download.
    func answer() throws { try lab.step("it is answered") { downloads.answer() } }
    /// Cancels the task.
    func cancel() throws { try lab.release("the task is cancelled") { task?.cancel() } }

    /// Drops the picture.
    func dropPicture() throws {
      try lab.release("the picture is dropped") {
        picture = nil
        task = nil
      }
    }

    private func start() {
      let (downloads, download) = (downloads, download)
      picture = Picture()
      task = picture?.load { await download(downloads) }
    }
  }
}
