import Foundation
import MemlabKit
import Synchronization

/// Steps that spoil the process that they run in, and a scenario that notices it.
enum Spoiler {
  static let scenario = Scenario.hardCase(
    "spoiler", "a step that spoils its process", step: "something is spoilt",
    [
      "counter": { count.withLock { $0 += 1 } }, "exit": { exit(0) }, "kill": { raise(SIGKILL) },
      "print": { print("{ \"scenario\" : \"printed\" }") },
      "descriptors": { for descriptor: Int32 in 0..<256 { close(descriptor) } },
      // As a program does that has locks of its own before it is copied.
      "lock": count.withLock { _ in waitForLock },
    ])

  private static let count = Mutex(0)

  // Another thread waits for a lock that this one holds for long enough that the other one comes to it.
  private static func waitForLock() {
    count.withLock { _ in
      DispatchQueue.global().async { count.withLock { $0 += 0 } }
      usleep(20_000)
    }
  }

  /// Does the first of these alone.
  static let counter = Scenario.hardCase(
    "counter", "a step that counts", step: "it counts", ["counter": { count.withLock { $0 += 1 } }])

  /// Changes what its process has left for the parent, one byte of the first ending's result.
  static let vandal = Scenario.hardCase(
    "vandal", "a step that changes results", step: "memory is changed",
    ["before": {}, "change": changeResult, "after": {}])

  // The memory that is shared with the parent is the largest mapping of its kind.
  private static func changeResult() {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let shared = maps.split(separator: "\n").filter { $0.contains(" rw-s ") }.compactMap { line in
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 ? ends[0]..<ends[1] : nil
    }
    guard let mailbox = shared.max(by: { $0.count < $1.count }) else { return }
    UnsafeMutablePointer<UInt8>(bitPattern: mailbox.lowerBound + 1200)?.pointee ^= 0x10
  }

  /// Measures how often the counting above has been run in this process.
  static let newcomer = Scenario(
    id: "newcomer", title: "a scenario that wants a process of its own",
    document: Document(file: "none.txt", title: "None"),
    endings: [
      Ending(
        "first", "nothing has run before", expects: Declaration(.clean, metrics: ["before": 0]),
        explanation: "-"
      ) { lab in try lab.step("it looks") { lab.ledger.setMetric("before", count.withLock { $0 }) }
      }
    ])
}
