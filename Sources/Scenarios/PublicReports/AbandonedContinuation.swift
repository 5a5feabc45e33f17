import MemlabKit

extension Scenario {
  static let abandonedContinuation = Scenario(
    id: "abandoned-continuation",
    title: "a continuation that nobody resumes",
    document: .kingfisherContinuation,
    place: "its warning, rebuilt",
    lesson: "08-leaks-people-had",
    question: "A callback is wrapped in a continuation. Does the task that waits for it end?",
    hint: "Cancelling sets a flag and calls a handler. Who makes a suspended task go on?",
    next: "inner-weak-outer-strong",
    endings: [
      Ending(
        "answer", "the download is answered",
        expects: .picture(.clean, picture: 1, load: 1),
        explanation: "The callback resumes the continuation, and the task ends. In a test that "
          + "never cancels, all is well.",
        run: answer),
      Ending(
        "cancel", "the task is cancelled, then the picture is dropped",
        expects: .picture(.leak, picture: 0, load: 0, held: .task("load")),
        explanation: "The handler forgets the callback, and with it the only thing that could "
          + "resume the task: it is suspended at that line for ever, and so is what it holds.",
        claims: [
          Claim(
            "tasks that wait on a leaked continuation may remain suspended forever",
            original: "This may cause tasks waiting on it to remain suspended forever."
          ) { $0.task("load").live == 1 }
        ],
        run: cancel
      )
      .asking(
        "A callback is wrapped in a continuation, and cancelling the task forgets the callback. "
          + "What becomes of the task that is cancelled?"),
      Ending(
        "handler", "the same, and the handler resumes what it forgets",
        expects: .picture(.clean, picture: 1, load: 1),
        explanation: "Whoever takes a callback out of the table must call it. The task goes on, "
          + "finds that it has no image, and ends.",
        run: handler
      )
      .asking(
        "Cancelling the task forgets the callback, and calls it as well. What becomes of the "
          + "task now?"),
      Ending(
        "early", "the same, and cancelled before it has begun",
        expects: .picture(.clean, picture: 1, load: 1),
        explanation: "The handler of a cancelled task runs at once, and finds nothing to forget. "
          + "That is why the fix looks once more when the download has begun.",
        run: early
      )
      .asking(
        "The task is cancelled before it has begun to wait, so there is no callback to forget "
          + "yet. Does it end?"),
    ])

  private typealias Stage = AbandonedContinuation.Stage

  @Sendable private static func answer(_ lab: Lab) throws {
    let stage = Stage(lab) { await $0.image() }
    try stage.load()
    try lab.step("it is answered") { stage.downloads.answer() }
    try stage.dropPicture()
  }

  @Sendable private static func cancel(_ lab: Lab) throws {
    let stage = Stage(lab) { await $0.image() }
    try stage.load()
    try stage.cancel()
    try stage.dropPicture()
  }

  @Sendable private static func handler(_ lab: Lab) throws {
    let stage = Stage(lab) { await $0.imageOrNil() }
    try stage.load()
    try stage.cancel()
    try stage.dropPicture()
  }

  @Sendable private static func early(_ lab: Lab) throws {
    let stage = Stage(lab) { await $0.imageOrNil() }
    try stage.loadAndCancel()
    try stage.dropPicture()
  }
}

extension Declaration {
  /// The counts of one picture and the task that loads for it.
  fileprivate static func picture(
    _ verdict: Verdict, picture: Int, load: Int, held: DeclaredHolder? = nil
  ) -> Declaration {
    Declaration(
      verdict, objects: [ObjectCount("Picture", created: 1, deinitialized: picture)],
      tasks: [TaskCount("load", started: 1, finished: load)],
      held: ["Picture": held].compactMapValues(\.self))
  }
}

/// A callback in a continuation, without and with an end for those who are cancelled.
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
    let downloads = Downloads()
    private let lab: Lab
    private let download: (Downloads) async -> Int?
    private var picture: Picture?
    private var task: Task<Void, Never>?

    init(_ lab: Lab, _ download: @escaping (Downloads) async -> Int?) {
      self.lab = lab
      self.download = download
    }

    func load() throws {
      try lab.step("a picture is created and loads", until: lab.ledger.noted("download begun", 1)) {
        start()
      }
    }

    func loadAndCancel() throws {
      try lab.step("a picture loads and is cancelled") {
        start()
        task?.cancel()
      }
    }

    func cancel() throws {
      try lab.release("the task is cancelled") { task?.cancel() }
    }

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
