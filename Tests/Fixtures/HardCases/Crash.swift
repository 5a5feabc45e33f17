import Foundation
import MemlabHeapModel
import MemlabKit
import MemlabPlatform

/// Steps whose code crashes, in one way or another.
enum Crash {
  static let scenario = Scenario.hardCase(
    "crash", "a step that crashes", step: "something crashes",
    [
      "harmless": {}, "index": { print([1][count(2)]) },
      "task": { Task(probe: "reader") { print([1][count(2)]) } },
      "thread": { SystemThread { print([1][count(2)]) }?.join() }, "abort": { abort() },
      "stack": { print(depth(of: 1)) },
    ])

  // What the compiler could see would be no crash of the program's, but an error of its own.
  @inline(never) private static func count(_ number: Int) -> Int { number + Int(getpid() & 0) }

  @inline(never) private static func depth(of level: Int) -> Int {
    level == 0 ? 0 : 1 + depth(of: level + count(1)) + count(0)
  }
}
