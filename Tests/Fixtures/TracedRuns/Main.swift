import Foundation
import MemlabHeapModel
import MemlabKit
import MemlabWitness

/// Runs one leak many times over in one process, traces it each time, and cleans up after it.
///
/// Prints how many reports differed from the first one, and by how many kilobytes the process has
/// grown since the first tenth of the runs: until then caches fill. It fails where one differs, and
/// where a run leaves the recorder on.
@main enum Main {
  static func main() throws {
    let runs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000
    let scheduler = try VirtualScheduler.install()
    let witness = try RealHeap()
    let trial = Trial(of: Leak.ending, on: scheduler, witness: witness)
    let first = try report(of: trial, on: scheduler)
    var (differing, early) = (0, 0)
    for run in 1...runs {
      differing += try report(of: trial, on: scheduler) == first ? 0 : 1
      if run == runs / 10 { early = residentKilobytes() }
    }
    print("\(runs) runs: \(differing) differ, \(residentKilobytes() - early) kB grown")
    print(String(decoding: first, as: UTF8.self))
    exit(differing == 0 && !HeapRecording.isOn ? 0 : 1)
  }

  private static func report(of trial: Trial, on scheduler: VirtualScheduler) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let report = try encoder.encode(trial.run())
    Leak.cleanUp()
    try scheduler.settle(Ledger(), until: nil)
    return report
  }

  private static func residentKilobytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4
  }
}
