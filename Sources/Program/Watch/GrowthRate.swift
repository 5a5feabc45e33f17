package import MemlabHeapModel
import MemlabTerminalText

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

  /// What is said of a class: `+120`, `-0.5`, `+0.017`, and nothing where the number is as before or no
  /// time has passed.
  ///
  /// - Parameters:
  ///   - title: as ``HeapTotals/ThingRow/title`` has it.
  ///   - count: how many there are now.
  package func text(of title: String, count: Int) -> String {
    let change = count - before[title, default: 0]
    guard seconds > 0, change != 0 else { return "" }
    let rate = Double(abs(change)) * 60 / Double(seconds)
    let places = rate < 0.1 ? 3 : rate < 10 ? 1 : 0
    return (change < 0 ? "-" : "+") + decimal(max(rate, 0.001), places: places)
  }
}
