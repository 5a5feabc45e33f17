import MemlabKit

/// A task that waits and holds an object, and two objects that hold each other; all of which can be
/// taken apart again.
enum Leak {
  final class Half {
    private let probe = Probe(Half.self)
    var other: Half?
  }

  final class Captive: Sendable { private let probe = Probe(Captive.self) }

  nonisolated(unsafe) private static var continuation: UnsafeContinuation<Void, Never>?
  nonisolated(unsafe) private static weak var half: Half?

  static let ending = Ending(
    "leak", "everything is left",
    expects: Declaration(
      .leak,
      objects: [
        ObjectCount("Captive", created: 1, deinitialized: 0),
        ObjectCount("Half", created: 2, deinitialized: 0),
      ], tasks: [TaskCount("waiter", started: 1, finished: 0)],
      held: ["Captive": .task("waiter"), "Half": .aCycle]),
    explanation: "It is cleaned up after the trial."
  ) { lab in
    try lab.step("a task waits") {
      let captive = Captive()
      Task(probe: "waiter") {
        await withUnsafeContinuation { continuation = $0 }
        withExtendedLifetime(captive) {}
      }
    }
    try lab.step("two objects hold each other") {
      let (one, two) = (Half(), Half())
      one.other = two
      two.other = one
      half = one
    }
  }

  static func cleanUp() {
    half?.other = nil
    continuation?.resume()
    continuation = nil
  }
}
