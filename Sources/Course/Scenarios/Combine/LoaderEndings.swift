import MemlabKit

/// The endings of the model loaders in “Memory management in Combine”.
struct LoaderEndings<Loader: LoaderUnderStudy>: Sendable {
  /// Whether the loader saves what it has loaded.
  var usesDisk = false
  /// Makes a loader.
  let make: LoaderStage<Loader>.Make

  /// The load succeeds before the owner is dropped.
  func complete(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    ending(
      "complete", "the load completes, then the loader is dropped",
      expects: expects, explanation: explanation, claims: claims
    ) { stage in
      try stage.load()
      try stage.answer()
      if stage.usesDisk { try stage.write() }
      try stage.dropLoader()
    }
  }

  /// The owner is dropped before the server answers.
  func drop(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    ending(
      "drop", "the loader is dropped while its request is open",
      expects: expects, explanation: explanation, claims: claims
    ) { stage in
      try stage.load()
      try stage.dropLoader()
    }
  }

  /// The server answers after the owner was dropped.
  func late(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    ending(
      "late", "the loader is dropped, then the server answers",
      expects: expects, explanation: explanation, claims: claims
    ) { stage in
      try stage.load()
      try stage.dropLoader()
      try stage.answer()
    }
  }

  /// The owner is dropped while the disk writes.
  func saving(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    ending(
      "saving", "the loader is dropped while its save is open",
      expects: expects, explanation: explanation, claims: claims
    ) { stage in
      try stage.load()
      try stage.answer()
      try stage.dropLoader()
    }
  }

  /// The server sends something that is not an article.
  func fail(expects: Declaration, explanation: String, claims: [Claim] = []) -> Ending {
    ending(
      "fail", "the answer cannot be decoded, then the loader is dropped", answering: "<html>",
      expects: expects, explanation: explanation, claims: claims
    ) { stage in
      try stage.load()
      try stage.answer()
      try stage.dropLoader()
    }
  }

  /// An ending of a loader that has just been created.
  func ending(
    _ name: String, _ title: String, answering body: String = #"{ "title": "Combine" }"#,
    expects: Declaration, explanation: String, claims: [Claim] = [],
    play: @escaping @Sendable (LoaderStage<Loader>) throws -> Void
  ) -> Ending {
    Ending(name, title, expects: expects, explanation: explanation, claims: claims) {
      [make, usesDisk] lab in
      let stage = LoaderStage<Loader>(lab, usesDisk: usesDisk)
      try stage.create(answering: body, make)
      try play(stage)
      stage.close()
    }
  }
}

extension Declaration {
  /// The counts of one loader without a database.
  ///
  /// - Parameters:
  ///   - deinitialized: how many loaders are deinitialised, 0 or 1.
  ///   - loaded: whether the loader's state was `loaded` when it was dropped, 0 or 1.
  ///   - sets: how often its state was set, from load() on.
  ///   - open: how many requests are open in the end.
  ///   - cancelled: how many requests were cancelled.
  ///   - metrics: figures of this ending only.
  static func loader(
    _ verdict: Verdict, deinitialized: Int, loaded: Int, sets: Int, open: Int = 0,
    cancelled: Int = 0, metrics: [Metric: Int] = [:]
  ) -> Declaration {
    let figures: [Metric: Int] = [
      "loaded": loaded, "stateSet": sets, "requestsOpen": open, "requestsCancelled": cancelled,
    ]
    return Declaration(
      verdict,
      objects: [ObjectCount("ModelLoader<Article>", created: 1, deinitialized: deinitialized)],
      metrics: figures.merging(metrics) { figure, _ in figure })
  }

  /// The counts of one loader and its database.
  ///
  /// - Parameters:
  ///   - deinitialized: how many of each are deinitialised, 0 or 1.
  ///   - loaded: whether the loader's state was `loaded` when it was dropped, 0 or 1.
  ///   - sets: how often its state was set, from load() on.
  ///   - requests: how many requests are open in the end, and how many were cancelled.
  ///   - saves: how many saves were begun, and how many of them were cancelled.
  static func savingLoader(
    _ verdict: Verdict, deinitialized: Int, loaded: Int, sets: Int,
    requests: (open: Int, cancelled: Int) = (0, 0), saves: (started: Int, cancelled: Int) = (0, 0)
  ) -> Declaration {
    Declaration(
      verdict,
      objects: [
        ObjectCount("ModelLoader<Article>", created: 1, deinitialized: deinitialized),
        ObjectCount("Database", created: 1, deinitialized: deinitialized),
      ],
      metrics: [
        "loaded": loaded, "stateSet": sets,
        "requestsOpen": requests.open, "requestsCancelled": requests.cancelled,
        "savesStarted": saves.started, "savesCancelled": saves.cancelled,
      ])
  }
}
