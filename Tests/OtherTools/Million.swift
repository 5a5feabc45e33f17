// A million linked objects, for two tools to find out who holds them:
//
//   Million [look]
//
// Built with -D SANITIZED -sanitize=address, LeakSanitizer looks; built with MemlabHeapReader, memlab does.
// Prints how many seconds of a processor that took, how many on the clock, and the most memory that
// the process has had, in kilobytes.

import Glibc

#if SANITIZED
  @_silgen_name("__lsan_do_recoverable_leak_check") func hasLeaks() -> CInt
#else
  import MemlabHeapModel
  import MemlabHeapReader
#endif

final class Node {
  private let next: Node?
  init(before next: Node?) { self.next = next }
}

final class Last {}

final class Holder { private let last = Last() }

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

/// The processor's time that this process has had, and helpers of it that have ended: LeakSanitizer
/// checks in a process of its own.
func processorTime() -> Duration {
  [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(.zero) { sum, who in
    var usage = rusage()
    getrusage(__rusage_who_t(who.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(sum) {
      $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
    }
  }
}

let looks = CommandLine.arguments.contains("look")
if looks { start() }
plant()
let before = processorTime()
let time = try ContinuousClock().measure { if looks { try look() } }
print((processorTime() - before) / .seconds(1), time / .seconds(1), mostMemory())
exit(0)
