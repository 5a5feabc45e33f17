// A million linked objects, for two tools to find out who holds them:
//
//   Million [look]
//
// Built with -D SANITIZED -sanitize=address, LeakSanitizer looks; built with HeapGraph, memlab does.
// Prints how many seconds that took, and the most memory that the process has had, in kilobytes.

import Glibc

#if SANITIZED
  @_silgen_name("__lsan_do_recoverable_leak_check") func hasLeaks() -> CInt
#else
  import HeapGraph
#endif

final class Node {
  private let next: Node?
  init(before next: Node?) { self.next = next }
}

final class Last {}

final class Holder {
  private let last = Last()
}

nonisolated(unsafe) var list: Node?
nonisolated(unsafe) var holder: Holder?

func start() {
  #if !SANITIZED
    HeapRecording.start()
  #endif
}

func plant() {
  for _ in 0..<1_000_000 { list = Node(before: list) }
  holder = Holder()
}

func look() throws {
  #if SANITIZED
    guard hasLeaks() == 0 else { fatalError("there are leaks") }
  #else
    let paths = try HeapSnapshot.take().retainChains(to: [TypeName.qualified(Last.self)])
    guard paths.count == 1, paths[0].root.node.name == "holder" else { fatalError("\(paths)") }
  #endif
}

func mostMemory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss
}

let looks = CommandLine.arguments.contains("look")
if looks { start() }
plant()
let time = try ContinuousClock().measure { if looks { try look() } }
print(time / .seconds(1), mostMemory())
exit(0)
