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
    var lines = frames.map { "at \($0.function)" + ($0.place.map { "   " + $0 } ?? "") }
    if let origin = originWithLine { lines.append("created in \(origin)") }
    for child in children {
      lines += ["waits for \(child.title), \(child.state)"] + child.lines.indented
    }
    return lines
  }
}

extension Leak {
  /// One line that says what outlives the body.
  var title: String {
    switch subject {
    case .task(let trace): "\(trace.title) has not finished"
    case .object(let object, _, _): "\(TypeName.short(object.type)) is still alive"
    case .tasks: "at least one task has not finished"
    }
  }

  /// What is known about why.
  var details: [String] {
    switch subject {
    case .task(let trace): [trace.state] + trace.lines.indented
    case .object(let object, let path, let trace):
      ["handed over at \(object.place.short)"]
        + (path.map { ["held by"] + ChainText($0, trace: trace, thread: thread).lines.indented }
          ?? [])
    case .tasks: []
    }
  }
}

extension [String] {
  /// The lines, two spaces further to the right.
  var indented: [String] { map { "  " + $0 } }
}
