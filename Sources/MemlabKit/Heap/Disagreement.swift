/// The two witnesses do not say the same, so neither can be believed.
struct Disagreement: Error, CustomStringConvertible {
  let sentences: [String]

  var description: String {
    "the witnesses disagree: " + sentences.joined(separator: "; ")
  }

  /// Every count on which ledger and heap differ, as a sentence with both numbers.
  ///
  /// - Parameter isOver: whether the steps are over. Before, tasks may be alive that nobody counts
  ///   because they end with one that is counted: the children of `async let`.
  static func all(
    between totals: Totals, and heap: HeapReport, isOver: Bool = true
  ) -> [String] {
    var sentences = totals.objects.compactMap { count -> String? in
      let seen = heap.alive[count.type, default: 0]
      guard seen != count.alive else { return nil }
      return "the ledger counts \(count.alive) \(count.type) alive, the heap has \(seen)"
    }
    if isOver ? totals.liveTasks != heap.liveTasks : totals.liveTasks > heap.liveTasks {
      sentences.append(
        "the ledger counts \(totals.liveTasks) live tasks, the heap has \(heap.liveTasks)")
    }
    return sentences
  }
}
