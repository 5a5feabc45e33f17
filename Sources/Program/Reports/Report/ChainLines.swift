package import MemlabHeapModel
package import MemlabKit
package import MemlabTerminalText

/// Chains that say the same of several objects, to be shown once.
package struct AlikeChains {
  /// The first of them.
  package let chain: RetainChain
  /// What they say.
  package let words: ChainInWords
  private var references: [Int]

  /// The chains of a trial, in the order of the first of each kind; each begins where one before it
  /// ends if it can.
  package static func all(of trial: TrialReport) -> [AlikeChains] {
    var explained: [String] = []
    return (trial.heap?.paths ?? []).reduce(into: []) { groups, chain in
      let words = ChainInWords(chain, explained: explained, for: .report)
      explained.append(chain.type)
      if let known = groups.firstIndex(where: { $0.says(words, of: chain.type) }) {
        groups[known].references.append(chain.referencesFound)
      } else {
        groups.append(AlikeChains(chain: chain, words: words, references: [chain.referencesFound]))
      }
    }
  }

  private func says(_ words: ChainInWords, of type: String) -> Bool {
    chain.type == type && self.words.root == words.root && self.words.rows == words.rows
  }

  /// What is alive, as words that go around its name: "why 3 Call are alive".
  package var title: (before: String, after: String) {
    references.count == 1 ? ("why ", " is alive") : ("why \(references.count) ", " are alive")
  }

  /// How many strong references to each object were found: "1 strong reference each", or where the
  /// objects differ in that "2, 2, 1 strong references".
  package var found: String {
    guard Set(references).count == 1 else {
      return references.map { "\($0)" }.joined(separator: ", ") + " strong references"
    }
    return counted(references[0], "strong reference") + (references.count == 1 ? "" : " each")
  }
}

/// A chain of strong references on a terminal, with the edge to cut underlined; one for all that say
/// the same.
package enum ChainLines {
  /// Why the survivors of a trial are alive: their chains, a blank line between two.
  package static func lines(for trial: TrialReport, width: Int) -> [StyledText] {
    let chains = AlikeChains.all(of: trial).map { lines($0, width: width) }
    return Array(chains.joined(separator: [""]))
  }

  // In lines of at most this width where names allow it.
  private static func lines(_ alike: AlikeChains, width: Int) -> [StyledText] {
    let (before, after) = alike.title
    let title = StyledText(before + alike.chain.type + after, .emphasis)
    let source = " (read from the heap; \(alike.found))"
    let fits = 4 + title.width + source.displayWidth <= width
    let isCycle = alike.chain.isCycleOfSeveral
    let warning = alike.chain.releaseWarning.map {
      ProseLines.paragraph($0, indent: spaces(6), width: width)
    }
    return ["    " + title + StyledText(fits ? source : " (\(alike.found))")]
      + RowLines(words: alike.words, indent: 6, width: width, isCycle: isCycle).lines
      + (warning ?? [])
  }
}

/// What a chain begins at, and a line for each row, the edge to cut underlined.
package struct RowLines {
  private let words: ChainInWords
  private let indent, width: Int
  private let isCycle: Bool

  /// The rows of a chain.
  ///
  /// - Parameters:
  ///   - words: the chain in words.
  ///   - indent: how many spaces are before each line.
  ///   - width: the width that the lines have at most where names allow it.
  ///   - isCycle: whether any other edge of it will do as well.
  package init(words: ChainInWords, indent: Int, width: Int, isCycle: Bool) {
    (self.words, self.indent, self.width, self.isCycle) = (words, indent, width, isCycle)
  }

  /// The lines, with the edge to cut underlined unless it was shown before.
  package var lines: [StyledText] {
    let rows = words.fewRows
    var lines = [StyledText(spaces(indent) + words.root)]
    for (depth, row) in rows.enumerated() {
      let margin = spaces(indent + depth * 3)
      let head = StyledText(margin + "└─ " + (row.reference.isEmpty ? "" : row.reference + " → "))
      let name = StyledText(row.name, depth == rows.count - 1 ? .leaked : nil)
      let place = row.location.map { StyledText("   \($0)", .dim) } ?? ""
      let whole = head + name + place
      let isBroken = whole.width > width && row.location != nil
      lines += isBroken ? [head + name, StyledText(margin) + place] : [whole]
      if let cut = row.cut { lines += underline(name, as: cut, after: head) }
    }
    return lines
  }

  private func underline(_ name: StyledText, as cut: String, after head: StyledText) -> [StyledText]
  {
    let margin = spaces(head.width)
    let mark = StyledText(String(repeating: "~", count: name.width), .leaked)
    let line = StyledText(margin) + mark + StyledText("  \(cut)")
    guard isCycle, cut == "the edge to cut" else { return [line] }
    let sentence = "It is a cycle: any other of its edges will do as well."
    return [line] + ProseLines.paragraph(sentence, indent: spaces(indent), width: width)
  }
}

extension RetainChain {
  /// Whether it is a cycle of more than one object, and not what one holds: each of its references is
  /// enough to cut.
  package var isCycleOfSeveral: Bool {
    let isCycle = root.kind == .cycle && links.last?.target.name == root.node.name
    return isCycle && links.count { $0.target.isObject } > 1
  }
}

/// Why tasks never finish: those at which none of the printed chains begins.
package enum WaitingTaskLines {
  /// A block for each, a blank line between two; equal ones are counted.
  package static func lines(of trial: TrialReport, width: Int) -> [StyledText] {
    guard let heap = trial.heap else { return [] }
    let roots = heap.paths.map(\.root).filter { $0.kind == .task }
    // Of several tasks of one name that wait at one place, one is shown on a chain for all.
    let waiting = heap.tasks.filter { task in
      !roots.contains {
        $0.node.name == task.name && $0.suspendedIn == task.suspendedIn && $0.frames == task.frames
      }
    }
    let blocks = waiting.uniqued().map { waiter in
      WaitingTask(waiter: waiter, count: waiting.count { $0 == waiter }).lines(width: width)
    }
    return Array(blocks.joined(separator: [""]))
  }
}

/// Why a task never finishes: what it waits for, where, and whether it was cancelled.
private struct WaitingTask {
  let waiter: HeapWaiter
  // How many wait like this one.
  let count: Int

  /// The block, in lines of at most this width where names allow it.
  func lines(width: Int) -> [StyledText] {
    let title = count == 1 ? "why task \(waiter.name) never finishes" : "why \(tasks) never finish"
    let places = frames.enumerated().map { depth, frame in
      StyledText(spaces(6 + depth * 3) + "└─ \(frame.function)")
        + StyledText(frame.location.map { "   \($0)" } ?? "", .dim)
    }
    let reason = ProseLines.paragraph(remark, indent: "      ", width: width)
    return ["    " + StyledText(title, .emphasis) + " (read from the heap)"]
      + ["      " + StyledText(waiter.suspendedIn.map { "suspended in \($0)" } ?? "suspended")]
      + places + reason
  }

  // The optimiser leaves two pieces of a function on the chain, the second without a place.
  private var frames: [HeapFrame] {
    waiter.frames.reduce(into: []) { frames, frame in
      if frame.location != nil || frames.last?.function != frame.function { frames.append(frame) }
    }
  }

  private var tasks: String { "\(count) tasks \(waiter.name)" }

  private var remark: String {
    let it = count == 1 ? "it" : "them"
    return waiter.isCancelled
      ? "Somebody has cancelled \(it), and the wait goes on: what it waits for does not listen."
      : "Nobody has cancelled \(it), and nobody makes the wait end."
  }
}
