/// What a trial comes to.
public enum Verdict: String, Codable, Sendable, CaseIterable {
  /// Everything that was created is gone and every task has finished.
  case clean
  /// An object or a task is left that nothing will ever release.
  case leak
  /// Updates were lost to a data race.
  case race
  /// The values were shared out among consumers that each wanted all of them.
  case split

  /// The verdict that the counts alone give.
  ///
  /// A race counts before a leak: where updates are lost, the counts are a matter of luck.
  public static func measured(from totals: Totals) -> Verdict {
    if totals.metrics[.lostUpdates, default: 0] > 0 { return .race }
    return totals.aliveObjects > 0 || totals.liveTasks > 0 ? .leak : .clean
  }
}
