import MemlabHeapModel

extension TaskTrace {
  /// Where it waits, a line for each function, and where it was created.
  fileprivate var lines: [String] {
    let calls = frames.map { "at \($0.function)" + ($0.location.map { "   \($0)" } ?? "") }
    let origin = originWithLine.map { ["created in \($0)"] } ?? []
    return calls + origin
      + children.flatMap { ["waits for \($0.title), \($0.state)"] + $0.lines.indented }
  }
}

extension Leak {
  /// What outlives the body, in one line.
  var title: String {
    switch subject {
    case .task(let trace): "\(trace.title) has not finished"
    case .object(let object, _, _): "\(TypeName.short(object.type)) is still alive"
    case .succession: "tasks go on: each starts the next one, and ends"
    case .tasks: "at least one task has not finished"
    }
  }

  /// What is known of the reason, a line each.
  var details: [String] {
    switch subject {
    case .task(let trace): [trace.state] + trace.lines.indented
    case .object(let object, let chain, let trace):
      [object.origin == .found ? "made while the test ran" : "handed over at \(object.place.short)"]
        + (chain.map { ["held by"] + lines(of: $0, trace).indented } ?? [])
        + [chain?.releaseWarning].compactMap(\.self)
    case .succession, .tasks: holder.isEmpty ? [] : [holder]
    }
  }

  /// One line that says who holds the object, or where the task waits; empty when that is not known.
  var holder: String {
    switch subject {
    case .task(let trace): trace.state + (trace.originWithLine.map { ", created in \($0)" } ?? "")
    case .object(_, let chain, let trace): chain.map { words(of: $0, trace).root } ?? ""
    case .succession(let origin): origin.map { "created in \($0.functionWithLine)" } ?? ""
    case .tasks: ""
    }
  }

  /// The line of the code that keeps the object: of the last function or closure on the chain that has
  /// one. For a task, that of the innermost function that waits.
  var location: CodeLocation? {
    switch subject {
    case .task(let trace): trace.frames.lazy.compactMap(\.location).first
    case .object(_, let chain?, let trace): words(of: chain, trace).location
    case .object, .succession, .tasks: nil
    }
  }

  /// The page of the leak and its graph.
  func files(_ fingerprint: Fingerprint, _ text: String) -> [FindingFile] {
    let picture: FindingPicture
    switch subject {
    case .object(_, let chain?, let trace):
      let words = words(of: chain, trace)
      let isCycle = chain.root.kind == .cycle && chain.root.node == chain.links.last?.target
      let root = isCycle ? TypeName.short(chain.root.node.name) : words.root
      picture = FindingPicture(title: title, root: root, words.fewRows, isCycle: isCycle)
    case .task(let trace):
      let calls = trace.frames.reversed().map {
        ChainInWords.Row(reference: "waits in", name: $0.function, location: $0.location)
      }
      picture = FindingPicture(title: title, root: trace.titleWithLine, calls)
    case .object, .succession, .tasks:
      picture = FindingPicture(title: title, root: holder)
    }
    let what = title.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let name = "\(what.isEmpty ? "leak" : what)-\(fingerprint)"
    return [
      FindingFile(name: name + ".html", bytes: Array(picture.page(below: text).utf8)),
      FindingFile(name: name + ".dot", bytes: Array(picture.graph.utf8)),
    ]
  }

  private func words(of chain: RetainChain, _ trace: TaskTrace?) -> ChainInWords {
    var chain = chain.naming(taskLocals).asWrittenForTest
    chain.root.frames = (trace?.frames ?? []).map(HeapFrame.init)
    let task = trace.map { "\($0.titleWithLine), \($0.state)" }
    return ChainInWords(chain, for: .test(task: task, thread: thread))
  }

  // One line for the root and one for each row, that of the edge to cut underlined.
  private func lines(of chain: RetainChain, _ trace: TaskTrace?) -> [String] {
    let words = words(of: chain, trace)
    var lines = [words.root]
    for (depth, row) in words.fewRows.enumerated() {
      var head = String(repeating: " ", count: depth * 3) + "└─ "
      if !row.reference.isEmpty { head += row.reference + " → " }
      lines.append(head + row.name + (row.location.map { "   \($0)" } ?? ""))
      guard let cut = row.cut else { continue }
      let mark = String(repeating: "~", count: row.name.count) + "  \(cut)"
      lines.append(String(repeating: " ", count: head.count) + mark)
    }
    return lines
  }
}

extension [String] {
  /// The lines, two spaces further to the right.
  fileprivate var indented: [String] { map { "  " + $0 } }
}

extension RetainChain {
  // What a task's own memory keeps outside of any function's frame is the value of a task-local
  // variable, where there is one of that class.
  fileprivate func naming(_ taskLocals: [String: String]) -> RetainChain {
    var chain = self
    for index in links.indices where links[index].kind == .frame && links[index].name == nil {
      guard let variable = taskLocals[links[index].target.name] else { continue }
      chain.links[index].kind = .field
      chain.links[index].name = "task-local value \(variable)"
    }
    return chain
  }
}
