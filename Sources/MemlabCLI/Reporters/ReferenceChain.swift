import MemlabKit

/// One chain of strong references in a reader's words, from its root down, a row for each closure,
/// function or object.
struct ReferenceChain {
  /// Something on the way, and how what is above it holds it.
  struct Row: Equatable {
    /// How it is held: `captured`, a property's name; empty where its name says all.
    var reference = ""
    /// What it is.
    var name: String
    /// Where in the code under study it is: `StrongSelf.swift:57`; empty where that is not known.
    var place = ""
  }

  /// The type of the object that is alive.
  let type: String
  /// How many strong references to it were found.
  let references: Int
  /// What the chain begins at.
  let root: String
  /// What follows; the last one is the object.
  let rows: [Row]
  /// Whether the last reference is the edge to cut, and not one that was shown before.
  let endsInCut: Bool

  /// A chain; where it passes through an object whose own chain was shown, it begins there.
  init(_ path: HeapPath, explained: [String]) {
    let known = path.links.dropLast().lastIndex { $0.isObject && explained.contains($0.to) }
    type = path.type
    references = path.referencesFound
    root = known.map { "\(path.links[$0].to), see above" } ?? path.root.inWords
    endsInCut = known == nil
    rows = path.links[((known ?? -1) + 1)...].flatMap { Self.rows(for: $0, of: path) }
  }

  /// The chains of a trial, each beginning where one before it ends if it can.
  static func all(of trial: TrialReport) -> [ReferenceChain] {
    var explained: [String] = []
    return (trial.heap?.paths ?? []).map { path in
      defer { explained.append(path.type) }
      return ReferenceChain(path, explained: explained)
    }
  }

  // A local variable of a waiting function gets a row for the function first, so that it reads like
  // a capture of a closure.
  private static func rows(for link: HeapLink, of path: HeapPath) -> [Row] {
    guard link.isObject else { return [Row(name: link.to, place: path.place(of: link.to))] }
    switch link.kind {
    case "field": return [Row(reference: link.name ?? "a property", name: link.to)]
    case "capture": return [Row(reference: "captured", name: link.to)]
    case "element": return [Row(reference: link.name ?? "an element", name: link.to)]
    case "frame":
      let function = link.name.map { [Row(name: $0, place: path.place(of: $0))] } ?? []
      return function + [Row(reference: "local variable", name: link.to)]
    default: return [Row(reference: link.name ?? link.kind, name: link.to)]
    }
  }
}

extension HeapRoot {
  fileprivate var inWords: String {
    switch kind {
    case .task: "task \(name)" + (suspendedIn.map { ", suspended in \($0)" } ?? "")
    case .global: "global variable \(name)"
    case .stack: "a variable of the current thread"
    case .cycle: "a cycle with no root: \(name)"
    case .unknown: "nothing that was recorded, by way of \(name)"
    }
  }
}

extension HeapPath {
  fileprivate func place(of function: String) -> String {
    guard let frame = root.frames.first(where: { $0.function == function }),
      let file = frame.file
    else { return "" }
    return file + (frame.line.map { ":\($0)" } ?? "")
  }
}
