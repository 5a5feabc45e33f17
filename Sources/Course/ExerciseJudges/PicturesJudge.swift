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

extension Exercise {
  /// Exercise 16, judging this cache.
  package static func pictures<Cache: PicturesUnderStudy>(_ type: Cache.Type) -> Exercise {
    Exercise(
      number: "16",
      endings: [
        ending(
          type, "together", "three ask for the same picture at the same time",
          .solved(
            ["Pictures": 1, "Photo": 1], tasks: ["viewer": 3],
            ["loads": 1, "right": 3, "different": 1, "failed": 0])
        ) { try $0.ask(["a", "a", "a"]) },
        ending(
          type, "later", "two ask for two pictures, and later two ask again",
          .solved(
            ["Pictures": 1, "Photo": 2], tasks: ["viewer": 4],
            ["loads": 2, "right": 4, "different": 2, "failed": 0])
        ) {
          try $0.ask(["a", "b"])
          try $0.ask(["b", "a"])
        },
        ending(
          type, "fails", "a load fails for two who ask, and succeeds for a third", failures: 1,
          .solved(
            ["Pictures": 1, "Photo": 1], tasks: ["viewer": 3],
            ["loads": 2, "right": 1, "different": 1, "failed": 2])
        ) {
          try $0.ask(["a", "a"])
          try $0.ask(["a"])
        },
        ending(
          type, "one", "one of two loads fails, and both pictures are asked for again", failures: 1,
          .solved(
            ["Pictures": 1, "Photo": 2], tasks: ["viewer": 4],
            ["loads": 3, "right": 3, "different": 2, "failed": 1])
        ) {
          try $0.ask(["a", "b"])
          try $0.ask(["b", "a"])
        },
        // What all caches share is loaded once for both.
        ending(
          type, "two", "two caches are asked for one picture each, of the same name", caches: 2,
          .solved(
            ["Pictures": 2, "Photo": 2], tasks: ["viewer": 4],
            ["loads": 2, "right": 4, "different": 2, "failed": 0])
        ) {
          try $0.ask(["a", "a"])
          try $0.ask(["a", "a"], of: 1)
        },
      ])
  }

  private static func ending<Cache: PicturesUnderStudy>(
    _ type: Cache.Type, _ name: String, _ title: String, failures: Int = 0, caches: Int = 1,
    _ declaration: Declaration,
    _ act: @escaping @Sendable (PicturesStage<Cache>) throws -> Void
  ) -> Ending {
    Ending(
      name, title, expects: declaration,
      explanation: "Who comes second waits for the load of the first."
    ) { lab in
      let stage = PicturesStage<Cache>(lab, failures: failures)
      try stage.open(caches)
      try act(stage)
      try stage.close()
    }
  }
}

/// A cache, what it loads from, and those who ask.
private final class PicturesStage<Cache: PicturesUnderStudy> {
  private struct NotFound: Error {}

  // How many of the first loads fail.
  private let failures: Int
  private let lab: Lab
  private let secret = Secret.word()
  private let loads = Seen<String>()
  private let announced = Seen<String>()
  private let asked = Seen<String>()
  private let right = Seen<Bool>()
  private let failed = Seen<String>()
  private let names = Seen<ObjectIdentifier>()
  private var caches: [Cache] = []

  init(_ lab: Lab, failures: Int) { (self.lab, self.failures) = (lab, failures) }

  func open(_ count: Int) throws {
    try lab.step(count == 1 ? "a cache is created" : "\(count) caches are created") {
      caches = (0..<count).map { _ in makeCache() }
    }
  }

  private func makeCache() -> Cache {
    let (loads, announced, asked, failures) = (loads, announced, asked, failures)
    let ledger = lab.ledger
    return Cache { name in
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

  func ask(_ pictures: [String], of number: Int = 0) throws {
    try lab.step("\(counted(pictures.count)) asked for") {
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

  private func counted(_ count: Int) -> String {
    count == 1 ? "a picture is" : "\(count) pictures are"
  }

  func close() throws {
    lab.ledger.setMetric("loads", loads.all.count)
    lab.ledger.setMetric("right", right.all.count { $0 })
    lab.ledger.setMetrics(["different": Set(names.all).count, "failed": failed.all.count])
    try lab.release(caches.count == 1 ? "the cache is dropped" : "the caches are dropped") {
      caches = []
    }
  }
}
