import Foundation
import Synchronization

/// Whether kept texts are to be rewritten, and the rewriting.
package enum Recording {
  /// Whether `MEMLAB_RECORD=1` is set.
  package static var isOn: Bool { ProcessInfo.processInfo.environment["MEMLAB_RECORD"] == "1" }

  /// The words that are to be recorded: the one of `MEMLAB_SCENARIO` where that is set, else all.
  ///
  /// - Parameter all: All that there are. One that is not among them is kept, to fail its test.
  package static func chosen(of all: [String]) -> [String] { scenario.map { [$0] } ?? all }

  /// The scenario that `MEMLAB_SCENARIO` names: only what tells of it is to be recorded.
  package static var scenario: String? { ProcessInfo.processInfo.environment["MEMLAB_SCENARIO"] }

  /// What to do about a text that is out of date, as a clause.
  package static let remedy = "renew it with 'make record'"

  /// What to do after a text has been rewritten, as a clause.
  package static let again = "run again without MEMLAB_RECORD"

  private static let lock = Mutex(())

  /// Does something that reads, changes and writes a file, alone among the tests.
  package static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body() }
  }
}
