package import HeapGraph

/// How many more of each class there are a minute.
package struct GrowthRate {
  private let before: [String: Int]
  private let seconds: Int64

  /// Between two dumps of a process.
  package init(from first: HeapDump, to last: HeapDump) {
    var counts = [Int](repeating: 0, count: first.things.count)
    for thing in first.blocks.things { counts[Int(thing)] += 1 }
    before = Dictionary(zip(first.things.map(\.title), counts), uniquingKeysWith: +)
    seconds = last.facts.time - first.facts.time
  }

  /// What is said of a class: `+120`, `-0.5`, and nothing where it is as before or no time has passed.
  ///
  /// - Parameters:
  ///   - title: as ``HeapTotals/ThingRow/title`` has it.
  ///   - count: how many there are now.
  package func text(of title: String, count: Int) -> String {
    let change = count - before[title, default: 0]
    guard seconds > 0, change != 0 else { return "" }
    let rate = Double(abs(change)) * 60 / Double(seconds)
    return (change < 0 ? "-" : "+") + decimal(rate, places: rate < 10 ? 1 : 0)
  }
}
