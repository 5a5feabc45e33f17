import MemlabKit

/// The counts of a trial as tables: objects, tasks, the scenario's own figures.
enum CountsPart {
  static func markup(for trial: TrialReport) -> Markup {
    Markup([
      Markup("h5") { "What is counted" },
      table(
        "Objects", ["object", "created", "deinitialised", "alive"], remark: "leaked",
        trial.objects.map { ($0.type, [$0.created, $0.deinitialized, $0.alive]) }),
      table(
        "Tasks", ["task", "started", "finished", "live"], remark: "never finishes",
        trial.tasks.map { ($0.name, [$0.started, $0.finished, $0.live]) }),
      table(
        "Figures", ["figure", "value"], remark: nil,
        trial.metrics.sorted { $0.key < $1.key }.map { ($0.key.rawValue, [$0.value]) }),
    ])
  }

  private static func table(
    _ caption: String, _ heads: [String], remark: String?, _ rows: [(String, [Int])]
  ) -> Markup {
    guard !rows.isEmpty else { return Markup([]) }
    return Markup.scrolling(caption) {
      Markup("table", ["class": "counts"]) {
        Markup("caption", ["class": "spoken"]) { caption }
        Markup("thead") {
          Markup("tr") {
            for head in heads { Markup("th", ["scope": "col"]) { head } }
            if remark != nil {
              Markup("th", ["scope": "col"]) { Markup.spoken("remark") }
            }
          }
        }
        Markup("tbody") {
          for (name, numbers) in rows { row(name, numbers, remark) }
        }
      }
    }
  }

  private static func row(_ name: String, _ numbers: [Int], _ remark: String?) -> Markup {
    let isLeft = remark != nil && (numbers.last ?? 0) > 0
    return Markup("tr", ["class": isLeft ? "left" : nil]) {
      Markup("th", ["scope": "row"]) { Markup("code") { name.breakable } }
      for number in numbers { Markup("td") { "\(number)" } }
      if let remark { Markup("td", ["class": "remark"]) { isLeft ? remark : "" } }
    }
  }
}

extension String {
  /// The text with places to break it at before capitals, for columns that are narrower than a name.
  fileprivate var breakable: Markup {
    let words = reduce(into: [""]) { words, character in
      let last = words[words.count - 1].last
      if character.isUppercase, last?.isLowercase ?? false { words.append("") }
      words[words.count - 1].append(character)
    }
    return Markup(
      words.enumerated().flatMap { place, word in
        (place == 0 ? [] : [Markup("wbr")]) + [Markup(text: word)]
      })
  }
}
