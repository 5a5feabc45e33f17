/// The two witnesses do not say the same, so neither can be believed.
struct Disagreement: Error, CustomStringConvertible {
  let sentences: [String]

  var description: String {
    "the witnesses disagree: " + sentences.joined(separator: "; ")
  }

  /// Every count on which ledger and heap differ, as a sentence with both numbers.
  static func all(between totals: Totals, and heap: HeapReport) -> [String] {
    var sentences = totals.objects.compactMap { count -> String? in
      let seen = heap.alive[count.type, default: 0]
      guard seen != count.alive else { return nil }
      return "the ledger counts \(count.alive) \(count.type) alive, the heap has \(seen)"
    }
    if totals.liveTasks != heap.liveTasks {
      sentences.append(
        "the ledger counts \(totals.liveTasks) live tasks, the heap has \(heap.liveTasks)")
    }
    return sentences
  }
}
