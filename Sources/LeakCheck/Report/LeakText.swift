internal import HeapGraph

extension TaskTrace {
  /// What a task does.
  var state: String {
    if task.isRunning { return "running" }
    if task.isEnqueued { return "waiting for its turn" }
    return suspendedIn.map { "suspended in \($0)" } ?? "suspended"
  }

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
    case .tasks: "at least one task has not finished"
    }
  }

  /// What is known of the reason, a line each.
  var details: [String] {
    switch subject {
    case .task(let trace): [trace.state] + trace.lines.indented
    case .object(let object, let chain, let trace):
      ["handed over at \(object.place.short)"]
        + (chain.map { ["held by"] + lines(of: $0, trace).indented } ?? [])
    case .tasks: []
    }
  }

  // One line for the root and one for each row, the last one underlined.
  private func lines(of chain: RetainChain, _ trace: TaskTrace?) -> [String] {
    var chain = chain.asWritten { $0.isThunk || $0.kind == .block(.taskSlab) }
    chain.root.frames = (trace?.frames ?? []).map(HeapFrame.init)
    let task = trace.map { "\($0.titleWithLine), \($0.state)" }
    let words = ChainInWords(chain, for: .test(task: task, thread: thread))
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
