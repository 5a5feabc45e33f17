import MemlabKit

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Steps whose code crashes, in one way or another.
enum Crash {
  static let scenario = Scenario(
    id: "crash", title: "a step that crashes",
    document: Document(file: "none.txt", title: "None"), place: "nowhere", lesson: "none",
    question: "What?", hint: "That.",
    endings: [
      ending("harmless") {},
      ending("index") { print([1][count(2)]) },
      ending("task") { Task(probe: "reader") { print([1][count(2)]) } },
      ending("thread") { inThread { print([1][count(2)]) } },
      ending("abort") { abort() },
      ending("stack") { print(depth(of: 1)) },
    ])

  private static func ending(
    _ name: String, _ action: @escaping @Sendable () -> Void
  ) -> Ending {
    Ending(name, "all ends", expects: .nothing, explanation: "-") { lab in
      try lab.step("all is well") {}
      try lab.step("something crashes", action)
    }
  }

  private static func inThread(_ body: @escaping @convention(c) () -> Void) {
    var thread = pthread_t()
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { body in
      unsafeBitCast(body, to: (@convention(c) () -> Void).self)()
      return nil
    }
    pthread_create(&thread, nil, start, unsafeBitCast(body, to: UnsafeMutableRawPointer.self))
    pthread_join(thread, nil)
  }

  // What the compiler could see would be no crash of the program's, but an error of its own.
  @inline(never) private static func count(_ number: Int) -> Int {
    number + Int(getpid() & 0)
  }

  @inline(never) private static func depth(of level: Int) -> Int {
    level == 0 ? 0 : 1 + depth(of: level + count(1)) + count(0)
  }
}
