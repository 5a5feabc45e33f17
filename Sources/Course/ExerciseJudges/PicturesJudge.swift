package import MemlabKit

/// A picture.
package final class Photo: Sendable {
  /// What is on it.
  let name: String
  private let probe = Probe(Photo.self)

  /// A picture of this.
  package init(_ name: String) { self.name = name }
}

/// What the judge needs of a cache.
package protocol PicturesUnderStudy: Actor {
  /// An empty cache.
  init(load: @escaping @Sendable (String) async throws -> Photo)
  /// The picture of this name, loaded if need be.
  func picture(named name: String) async throws -> Photo
}

/// Exercise 16: a cache, what it loads from, and those who ask.
package final class PicturesJudge<Cache: PicturesUnderStudy>: JudgeStage, Judge {
  private struct NotFound: Error {}

  private let secret = Secret.word()
  private let (loads, announced, asked) = (Seen<String>(), Seen<String>(), Seen<String>())
  private let (failed, right) = (Seen<String>(), Seen<Bool>())
  private let names = Seen<ObjectIdentifier>()
  private var caches: [Cache] = []

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("together", photos: 1, asking: [["a", "a", "a"]])
    ending("later", photos: 2, asking: [["a", "b"], ["b", "a"]])
    ending("fails", photos: 1, failing: (loads: 1, viewers: 2), asking: [["a", "a"], ["a"]])
    ending("one", photos: 2, failing: (loads: 1, viewers: 1), asking: [["a", "b"], ["b", "a"]])
    // What all caches share is loaded once for both.
    ending("two", caches: 2, photos: 2, asking: [["a", "a"], ["a", "a"]])
  }

  private static func ending(
    _ name: String, caches: Int = 1, photos: Int, failing: (loads: Int, viewers: Int) = (0, 0),
    asking: [[String]]
  ) -> Ending {
    let viewers = asking.joined().count
    return Ending(
      name, ["Pictures": caches, "Photo": photos], tasks: ["viewer": viewers],
      figures: [
        "loads": photos + failing.loads, "right": viewers - failing.viewers, "different": photos,
        "failed": failing.viewers,
      ]
    ) { lab in
      let stage = PicturesJudge(lab)
      try stage.open(caches, failing: failing.loads)
      for (time, pictures) in asking.enumerated() { try stage.ask(pictures, of: time % caches) }
      try stage.close()
    }
  }

  private func open(_ count: Int, failing failures: Int) throws {
    try lab.step(count == 1 ? "a cache is created" : "\(count) caches are created") {
      caches = (0..<count).map { _ in makeCache(failing: failures) }
    }
  }

  // As many of the first loads fail.
  private func makeCache(failing failures: Int) -> Cache {
    Cache { [loads, announced, asked, ledger = lab.ledger] name in
      loads.add(name)
      let fails = loads.all.count <= failures
      // On the pool, the first load might end before the second viewer begins.
      while asked.all.count < announced.all.count { await Task.yield() }
      // A load that fails ends while another is under way.
      for _ in 0..<(fails ? 3 : 9) { await Task.yield() }
      if fails { throw NotFound() }
      try Task.checkCancellation()
      // A detached task does not know the ledger, and may well load.
      return Ledger.$current.withValue(ledger) { Photo(name) }
    }
  }

  private func ask(_ pictures: [String], of number: Int = 0) throws {
    let what = pictures.count == 1 ? "a picture is" : "\(pictures.count) pictures are"
    try lab.step("\(what) asked for") {
      for name in pictures { announced.add(name) }
      // All begin with the same letters, and all end with the same.
      for name in pictures.map({ secret + $0 + secret }) {
        let cache = caches[number]
        Task(probe: "viewer") { [right, failed, names, asked] in
          asked.add(name)
          do {
            let picture = try await cache.picture(named: name)
            right.add(picture.name == name)
            names.add(ObjectIdentifier(picture))
          } catch {
            failed.add(name)
          }
        }
      }
    }
  }

  private func close() throws {
    lab.ledger.setMetrics([
      "loads": loads.all.count, "right": right.all.count { $0 },
      "different": Set(names.all).count, "failed": failed.all.count,
    ])
    try lab.release(caches.count == 1 ? "the cache is dropped" : "the caches are dropped") {
      caches = []
    }
  }
}
