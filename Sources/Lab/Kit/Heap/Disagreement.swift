import MemlabHeapModel

/// The two witnesses do not say the same, so neither can be believed.
struct Disagreement: Error, CustomStringConvertible {
  /// What they disagree about, a sentence for each count.
  let sentences: [String]

  var description: String {
    "the witnesses disagree: " + sentences.joined(separator: "; ")
  }

  /// Every count on which ledger and heap differ, as a sentence with both numbers.
  ///
  /// - Parameters:
  ///   - totals: what the ledger counts.
  ///   - heap: what the heap has.
  ///   - uncounted: how many tasks are declared to be alive that nobody counts.
  ///   - isOver: whether the steps are over. Before, tasks may be alive that nobody counts because
  ///     they end with one that is counted: the children of `async let`.
  static func all(
    between totals: Totals, and heap: HeapReport, uncounted: Int = 0, isOver: Bool = true
  ) -> [String] {
    var sentences = totals.objects.compactMap { count -> String? in
      let seen = heap.alive[count.type, default: 0]
      guard seen != count.alive else { return nil }
      return "the ledger counts \(count.alive) \(count.type) alive, the heap has \(seen)"
    }
    let expected = totals.liveTasks + uncounted
    if isOver ? expected != heap.liveTasks : totals.liveTasks > heap.liveTasks {
      let declared = uncounted == 0 ? "" : " and \(uncounted) of libraries are declared"
      sentences.append(
        "the ledger counts \(totals.liveTasks) live tasks\(declared), the heap has "
          + "\(heap.liveTasks)" + advice(heap.liveTasks - totals.liveTasks, isOver: isOver))
    }
    return sentences
  }

  // A task that was never named is either the author's own or a library's.
  private static func advice(_ more: Int, isOver: Bool) -> String {
    guard isOver, more > 0 else { return "" }
    return " (name the others with Task(probe:); if a library has started them, say "
      + ".leaving(libraryTasks: \(more)))"
  }

  /// Every object that something holds that was not found, as a sentence with both numbers.
  ///
  /// A picture without an arrow for it would be wrong.
  static func unaccounted(in map: HolderMap) -> [String] {
    map.places.compactMap { place in
      guard let account = place.account, !account.isBalanced else { return nil }
      let found = counted(account.referencesFound, "strong reference")
      let roots = counted(account.namedRoots, "named variable")
      return "\(TypeName.short(place.node.name)) has a retain count of "
        + "\(account.retainCount ?? 0), but \(found) and \(roots) were found to hold it"
        + (account.uncounted > 0 ? " (declare a local variable that holds it as @Variable)" : "")
    }
  }

  private static func counted(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }
}
