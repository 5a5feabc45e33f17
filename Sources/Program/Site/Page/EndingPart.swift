import MemlabHeapModel
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// The section on an ending: how it came out, what was done, what is left, and why.
struct EndingPart {
  private let ending: Ending
  private let trial: TrialReport
  private let anchor: String

  /// An ending and its trial.
  init(_ ending: Ending, _ trial: TrialReport, of scenario: String) {
    (self.ending, self.trial) = (ending, trial)
    anchor = "\(scenario)/\(ending.name)"
  }

  /// The part in HTML.
  var markup: Markup {
    Markup.part("article", anchor, class: "ending \(trial.verdict.rawValue)") {
      Markup("h4", ["id": "\(anchor)/heading"]) {
        Markup.spoken("ending ")
        Markup("code") { ending.name }
        Markup.spoken(": ")
        Markup("span", ["class": "phrase"]) { ending.title }
      }
      VerdictMark.line(for: trial)
      DifferenceList.markup(for: trial)
      Markup("div", ["class": "columns"]) {
        Markup("div") { steps }
        Markup("div") { counts }
      }
      explanation
      HoldersPart.markup(for: trial, anchor: anchor)
      ClaimsPart.markup(for: trial)
    }
  }

  private var explanation: Markup {
    guard trial.asExpected else { return Self.unexplained }
    guard !ending.explanation.isEmpty else { return Markup([]) }
    return Markup("p", ["class": "explanation"]) { ending.explanation }
  }

  /// What is said in place of an explanation that was not measured.
  static let unexplained = Markup.missing(
    "Something else was measured than what the scenario explains, so its explanation is left out.")
}

extension EndingPart {
  /// The steps in order, with what each created and released.
  @MarkupBuilder private var steps: Markup {
    Markup("h5") { "What is done" }
    Markup("ol", ["class": "steps"]) {
      for step in trial.steps {
        Markup("li") {
          Markup("span", ["class": "step"]) { step.text }
          Markup("ul") {
            for change in step.changes { Markup("li", ["class": change.kind]) { change } }
          }
        }
      }
    }
  }

  /// The counts as tables: objects, tasks, the scenario's own figures.
  @MarkupBuilder private var counts: Markup {
    Markup("h5") { "What is counted" }
    table(
      "Objects", ["object", "created", "deinitialised", "alive"], remark: "leaked",
      trial.objects.map { ($0.type, [$0.created, $0.deinitialized, $0.alive]) })
    table(
      "Tasks", ["task", "started", "finished", "live"], remark: "never finishes",
      trial.tasks.map { ($0.name, [$0.started, $0.finished, $0.live]) })
    table(
      "Figures", ["figure", "value"], remark: nil,
      trial.metrics.sorted { $0.key < $1.key }.map { ($0.key.rawValue, [$0.value]) })
  }

  private func table(
    _ caption: String, _ heads: [String], remark: String?, _ rows: [(String, [Int])]
  ) -> Markup {
    guard !rows.isEmpty else { return Markup([]) }
    return Markup.scrolling(caption) {
      Markup("table", ["class": "counts"]) {
        Markup("caption", ["class": "spoken"]) { caption }
        Markup.head {
          for head in heads { Markup("th", ["scope": "col"]) { head } }
          if remark != nil { Markup("th", ["scope": "col"]) { Markup.spoken("remark") } }
        }
        Markup("tbody") { for (name, numbers) in rows { row(name, numbers, remark) } }
      }
    }
  }

  private func row(_ name: String, _ numbers: [Int], _ remark: String?) -> Markup {
    let isLeft = remark != nil && (numbers.last ?? 0) > 0
    return Markup("tr", ["class": isLeft ? "left" : nil]) {
      Markup("th", ["scope": "row"]) { Markup("code") { name.breakable } }
      for number in numbers { Markup("td") { "\(number)" } }
      if let remark { Markup("td", ["class": "remark"]) { isLeft ? remark : "" } }
    }
  }
}

extension String {
  /// What a change of a step is called in the style sheet.
  var kind: String {
    if hasPrefix("+ ") { return "born" }
    return hasPrefix("- ") ? "released" : hasPrefix("nothing ") ? "nothing" : "note"
  }
}

extension String {
  /// The text with places to break it at before capitals, for columns that are narrower than a
  /// name.
  fileprivate var breakable: Markup {
    let words = reduce(into: [""]) { words, character in
      let last = words[words.count - 1].last
      if character.isUppercase, last?.isLowercase ?? false { words.append("") }
      words[words.count - 1].append(character)
    }
    return Markup(Array(words.flatMap { [Markup("wbr"), Markup(text: $0)] }.dropFirst()))
  }
}

/// The document's sentences, ticked or crossed, with the reason.
enum ClaimsPart {
  /// The list in HTML; nothing where the ending has no claims.
  @MarkupBuilder static func markup(for trial: TrialReport) -> Markup {
    for said in trial.claims.map(\.said).uniqued() {
      Markup("h5") { said.prefix(1).uppercased() + said.dropFirst() }
      Markup("ul", ["class": "claims"]) {
        for claim in trial.claims where claim.said == said { item(claim) }
      }
    }
  }

  private static func item(_ claim: ClaimResult) -> Markup {
    Markup("li", ["class": claim.holds ? "holds" : "fails"]) {
      Markup("span", ["class": "mark", "aria-hidden": "true"]) { claim.holds ? "✓" : "✗" }
      Markup("div") {
        Markup("p") {
          Markup("q") { claim.text }
          claim.holds ? " holds." : " does not hold."
          if !claim.holds { claim.because.map { " " + $0.asSentence } }
        }
        Markup("p", ["class": "original", "lang": claim.original.likelyLanguage]) { claim.original }
      }
    }
  }
}

extension String {
  /// The text with a capital at its beginning and a full stop at its end.
  fileprivate var asSentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }

  /// The language that a text's letters suggest, so that it is shown and read aloud correctly.
  fileprivate var likelyLanguage: String? {
    let letters = unicodeScalars.map(\.value)
    if letters.contains(where: { (0xAC00...0xD7A3).contains($0) }) { return "ko" }
    if letters.contains(where: { (0x3041...0x30FF).contains($0) }) { return "ja" }
    return letters.contains { (0x4E00...0x9FFF).contains($0) } ? "zh" : nil
  }
}

/// A verdict as a sign, a word and a colour; each says it alone.
enum VerdictMark {
  /// A sign that needs no colour.
  static func sign(of verdict: Verdict) -> String {
    switch verdict {
    case .clean: "○"
    case .leak: "●"
    case .race: "▲"
    case .split: "◆"
    }
  }

  /// The last word on a trial: "● LEAKS, as expected · 2 objects and 1 task stay alive".
  ///
  /// - Parameter said: says its words, in whatever language.
  static func line(
    for trial: TrialReport, said: (Saying) -> Markup = { Markup(text: $0.inWords) }
  ) -> Markup {
    Markup("p", ["class": "verdict \(trial.verdict.rawValue)"]) {
      Markup.silent(sign(of: trial.verdict) + " ")
      Markup("strong") { said(Saying(VerdictLines.verdict(trial.verdict).plain)) }
      ", "
      said(Saying(trial.asExpected ? "as expected" : "NOT as expected"))
      " · "
      said(VerdictLines.saying(of: trial))
    }
  }
}

/// Each way in which a trial differs from what its scenario declares.
enum DifferenceList {
  /// The list in HTML; nil where nothing differs.
  static func markup(for trial: TrialReport) -> Markup? {
    guard !trial.differences.isEmpty else { return nil }
    return Markup("ul", ["class": "differences"]) {
      for difference in trial.differences { Markup("li") { difference } }
    }
  }
}

/// Who holds what is left: the picture, and beside it each chain in words.
enum HoldersPart {
  /// The part of a trial.
  ///
  /// - Parameter anchor: the place on the page, from which the picture's is made.
  static func markup(for trial: TrialReport, anchor: String) -> Markup {
    guard trial.heap != nil else {
      return Markup.missing("The heap was not read, so nobody knows who holds what is left.")
    }
    let graph = trial.graph
    guard !graph.nodes.isEmpty else { return Markup.missing("Nothing is left on the heap.") }
    let title = "Who holds what is left"
    let drawing = GraphDrawing(of: graph, anchor: "\(anchor)/graph", title: title)
    return Markup("div", ["class": drawing.isWide ? "columns wide" : "columns"]) {
      drawing.figure(below: Markup("figcaption") { Markup("h5") { title } })
      Markup("div", ["class": "chains"]) { chains(of: trial) }
    }
  }

  private static func chains(of trial: TrialReport) -> Markup {
    let chains = AlikeChains.all(of: trial)
    guard !chains.isEmpty else {
      return Markup.missing("A task that has not finished needs nobody to hold it: it is a root.")
    }
    return Markup([Markup("h5") { "Why it is alive" }] + chains.map(markup))
  }

  private static func markup(of alike: AlikeChains) -> Markup {
    let words = alike.words
    return Markup("div", ["class": "chain"]) {
      Markup("p") {
        alike.title.before
        Markup("code") { alike.chain.type }
        alike.title.after + " "
        Markup("small") { "read from the heap; \(alike.found)" }
      }
      Markup("ol") {
        Markup("li", ["class": "start"]) { words.root }
        for (depth, row) in words.rows.enumerated() {
          let isLast = depth == words.rows.count - 1
          item(row, depth: depth + 1, isLast: isLast)
        }
      }
    }
  }

  private static func item(_ row: ChainInWords.Row, depth: Int, isLast: Bool) -> Markup {
    // Deeper than this, a telephone has no room left.
    Markup("li", ["style": "--depth:\(min(depth, 6))", "class": row.cut == nil ? nil : "cut"]) {
      if !row.reference.isEmpty { Markup("span", ["class": "reference"]) { row.reference + " → " } }
      Markup("code", ["class": isLast ? "survivor" : nil]) { row.name }
      if let location = row.location { Markup("small") { " \(location)" } }
      if let cut = row.cut { Markup("strong") { cut } }
    }
  }
}
