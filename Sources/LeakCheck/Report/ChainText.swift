internal import HeapGraph

/// A chain of strong references as lines of text, from its root to the object.
struct ChainText {
  private let path: RetainPath
  private let trace: TaskTrace?
  private let thread: String?

  /// The chain, with where its task waits if it begins at one, and the thread that is known to have
  /// it otherwise.
  init(_ path: RetainPath, trace: TaskTrace?, thread: String?) {
    (self.path, self.trace, self.thread) = (path, trace, thread)
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
    let start = path.start.shortName
    return switch path.root {
    case .task: trace.map { "\($0.titleWithLine), \($0.state)" } ?? "a task"
    case .global: "global variable \(path.start.name)"
    case .stack: "a variable of a thread"
    case .cycle: "objects that hold each other, and that \(holdOnRing): \(start)"
    case .unknown: "\(unknownHolder), by way of \(start)"
    }
  }

  private var holdOnRing: String { thread.map { "\($0) refers to" } ?? "nothing else holds" }

  private var unknownHolder: String {
    thread.map { "a variable of \($0)" } ?? "nothing that was recorded"
  }

  private var rows: [String] {
    let steps = path.stepsInSource { $0.isThunk || $0.kind == .block(.taskSlab) }
    return zip([nil] + steps.map(\.node), steps).flatMap(rows)
  }

  private func rows(from holder: HeapNode?, _ step: RetainStep) -> [String] {
    let name = step.edge.name
    let target = step.node.isBox ? "a box" : step.node.shortName
    let isPart = step.edge.kind == .field || step.edge.kind == .element
    guard step.node.kind == .block(.instance) else {
      return [(isPart ? name.map { "\($0) → " } ?? "" : "") + target + place(of: target)]
    }
    if holder?.isBox == true || holder?.kind == .block(.error) { return ["in it → \(target)"] }
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
      guard let name else { return ["in its memory → \(target)"] }
      return [name + place(of: name), "local variable → \(target)"]
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
  /// Whether it is a variable or the payload of an `indirect case`: a block that nobody has named.
  fileprivate var isBox: Bool { kind == .block(.context) && name.isEmpty }
}

extension AsyncFrame {
  /// `File.swift:12`; nil without debug information.
  var place: String? {
    file.map { file in line.map { "\(file):\($0)" } ?? file }
  }
}
