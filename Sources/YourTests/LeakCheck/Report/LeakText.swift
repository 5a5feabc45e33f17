import MemlabHeapModel
import Testing

extension TaskTrace {
  /// Where it waits, a line for each function, and where it was created.
  var lines: [String] {
    var lines = frames.map(HeapFrame.init).map {
      "at \($0.function)" + ($0.location.map { "   \($0)" } ?? "")
    }
    if let origin = originWithLine { lines.append("created in \(origin)") }
    for child in children {
      lines += ["waits for \(child.title), \(child.state)"] + child.lines.indented
    }
    return lines
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
      [object.origin.text(at: object.place)]
        + (chain.map { ["held by"] + lines(of: $0, trace).indented } ?? [])
    case .succession(let origin): origin.map { ["created in \($0.functionWithLine)"] } ?? []
    case .tasks: []
    }
  }

  /// The line of the code that keeps the object: of the last function or closure on the chain that has
  /// one. For a task, that of the innermost function that waits.
  var location: CodeLocation? {
    switch subject {
    case .task(let trace): trace.frames.map(HeapFrame.init).lazy.compactMap(\.location).first
    case .object(_, let chain?, let trace):
      words(of: chain, trace).rows.reversed().lazy.compactMap(\.location).first
    case .object, .succession, .tasks: nil
    }
  }

  private func words(of chain: RetainChain, _ trace: TaskTrace?) -> ChainInWords {
    var chain = chain.naming(taskLocals).asWritten { $0.isThunk || $0.kind == .block(.taskSlab) }
    chain.root.frames = (trace?.frames ?? []).map(HeapFrame.init)
    let task = trace.map { "\($0.titleWithLine), \($0.state)" }
    return ChainInWords(chain, for: .test(task: task, thread: thread))
  }

  // One line for the root and one for each row, the last one underlined.
  private func lines(of chain: RetainChain, _ trace: TaskTrace?) -> [String] {
    let words = words(of: chain, trace)
    var lines = [words.root]
    for (depth, row) in words.fewRows.enumerated() {
      let head =
        String(repeating: " ", count: depth * 3) + "└─ "
        + (row.reference.isEmpty ? "" : row.reference + " → ")
      lines.append(head + row.name + (row.location.map { "   \($0)" } ?? ""))
      guard depth == words.fewRows.count - 1 else { continue }
      lines.append(
        String(repeating: " ", count: head.count)
          + String(repeating: "~", count: row.name.count) + "  the edge to cut")
    }
    return lines
  }
}

extension [String] {
  /// The lines, two spaces further to the right.
  var indented: [String] { map { "  " + $0 } }
}

extension WatchedObject.Origin {
  fileprivate func text(at place: SourceLocation) -> String {
    self == .found ? "made while the test ran" : "handed over at \(place.short)"
  }
}

extension Leak {
  /// One line that says who holds the object, or where the task waits; empty when that is not known.
  var holder: String {
    switch subject {
    case .task(let trace):
      ([trace.state] + (trace.originWithLine.map { ["created in \($0)"] } ?? []))
        .joined(separator: ", ")
    case .object(_, let chain, let trace): chain.map { lines(of: $0, trace)[0] } ?? ""
    case .succession(let origin): origin.map { "created in \($0.functionWithLine)" } ?? ""
    case .tasks: ""
    }
  }
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
