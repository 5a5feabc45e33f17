internal import HeapGraph

/// A chain of strong references as lines of text, from its root to the object.
struct ChainText {
  private let path: RetainPath
  private let trace: TaskTrace?

  /// The chain, with where its task waits if it begins at one.
  init(_ path: RetainPath, trace: TaskTrace?) {
    self.path = path
    self.trace = trace
  }

  /// One line for the root and one for each step, the last one underlined.
  var lines: [String] {
    var lines = [root]
    var head = ""
    let rows = Self.shortened(self.rows)
    for (depth, row) in rows.enumerated() {
      head = String(repeating: " ", count: depth * 3) + "└─ "
      lines.append(head + row)
    }
    if let last = rows.last {
      let name = last.split(separator: " → ").last.map(String.init) ?? last
      let indent = String(repeating: " ", count: head.count + last.count - name.count)
      lines.append(indent + String(repeating: "~", count: name.count) + "  the edge to cut")
    }
    return lines
  }

  private var root: String {
    switch path.root {
    case .task: trace.map { $0.title + $0.state } ?? "a task"
    case .global: "global variable \(path.start.name)"
    case .stack: "a variable of a thread"
    case .cycle: "objects that hold each other, and that nothing else holds: \(path.start.shown)"
    case .unknown: "nothing that was recorded, by way of \(path.start.shown)"
    }
  }

  private var rows: [String] {
    var rows: [String] = []
    var array: String?
    for step in path.steps where !step.node.isGlue {
      let name = array.map { "\($0)[\(step.edge.name ?? "")]" } ?? step.edge.name
      let isBuffer = step.node.kind == .block(.buffer)
      array = isBuffer ? name ?? "an array" : nil
      guard !isBuffer || step == path.steps.last else { continue }
      rows += self.rows(step, name: name)
    }
    return rows
  }

  private func rows(_ step: RetainStep, name: String?) -> [String] {
    let target = step.node.shown
    guard step.node.kind == .block(.instance) else { return [target + place(of: target)] }
    // A closure that has captured one object and nothing else has no block of its own.
    if let closure = step.edge.closure {
      return [
        (name.map { "\($0) → " } ?? "") + closure + place(of: closure), "captured → \(target)",
      ]
    }
    switch step.edge.kind {
    case .field: return ["\(name ?? "a property") → \(target)"]
    case .element: return ["\(name ?? "an element") → \(target)"]
    case .capture, .body: return ["captured → \(target)"]
    case .frame:
      return (name.map { [$0 + place(of: $0)] } ?? []) + ["local variable → \(target)"]
    case .global: return ["→ \(target)"]
    default: return ["\(name ?? step.edge.kind.rawValue) → \(target)"]
    }
  }

  private func place(of function: String) -> String {
    trace?.frames.first { $0.function == function }?.place.map { "   " + $0 } ?? ""
  }

  private static func shortened(_ rows: [String]) -> [String] {
    guard rows.count > 8 else { return rows }
    return rows.prefix(3) + ["… \(rows.count - 7) more …"] + rows.suffix(4)
  }
}

extension HeapNode {
  /// Whether it is a closure that nobody wrote.
  fileprivate var isGlue: Bool {
    kind == .block(.taskSlab) || kind == .block(.context) && name.contains("reabstraction thunk")
  }

  /// The name for a reader: a type without its module, a closure, or the kind of block.
  var shown: String {
    switch kind {
    case .block(.instance), .block(.buffer), .block(.error): TypeName.short(name)
    case .block(let kind) where name.isEmpty: kind.rawValue
    default: name
    }
  }
}

extension AsyncFrame {
  /// `File.swift:12`; nil without debug information.
  var place: String? {
    file.map { file in line.map { "\(file):\($0)" } ?? file }
  }
}
