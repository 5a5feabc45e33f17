import MemlabKit

/// What is otherwise where there is no virtual time, as with Swift 6.2 and in the portable
/// configuration: the pool is the default scheduler.
package enum OnThePool {
  /// Whether there is no virtual time here.
  package static var isOn: Bool { VirtualScheduler.obstacle != nil }

  /// The one scenario whose endings measure something else in another order of the jobs. On the pool,
  /// the machine decides the order.
  static let leftToLuck = "accessor-lock"

  /// Whether a command of memlab's prints here what was recorded: `--schedules` cannot, nor what
  /// depends on the order of the jobs.
  static func canRun(_ words: [String]) -> Bool {
    !isOn || !words.contains { $0.hasPrefix("--schedules") || ["hunt", leftToLuck].contains($0) }
  }

  /// Lines without the scheduler's name, and without what the order of the jobs decides.
  static func without(_ lines: [String]) -> [String] {
    guard isOn else { return lines }
    return lines.map { line in
      line.replacing(#/(?:virtual|pool)\)/#, with: "…)")
        // On the pool, what its threads allocate once is a fraction of a byte for each run.
        .replacing(#/(GROWS by \d+)\.\d bytes/#) { "\($0.1) bytes" }
    }.filter { !$0.contains(leftToLuck) }
  }
}
