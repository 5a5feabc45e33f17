/// Who holds an object in the end, in a form that a scenario can declare and that is the same in
/// debug and release.
///
/// Whether a waiting task holds an object through its closure, a frame or a slab of frames is the
/// optimiser's choice; that the task holds it is not.
package enum Holder: Sendable, Hashable {
  /// A task of this name.
  case task(String)
  /// A stored property of an object; its name is nil where it is not known.
  case field(String?, of: String)
  /// A global or static variable of this name.
  case global(String)
  /// A variable of the current thread.
  case stack
  /// A variable whose name was given to the snapshot.
  case variable(String)
  /// A closure or a buffer of this name, where nothing was found that holds it.
  case passage(String)

  /// The holder at the end of a chain from a root.
  package init(_ root: HeapNode, _ links: [RetainChain.Link]) {
    let nodes = [root] + links.map(\.target)
    let last = nodes.dropLast().lastIndex { $0.isHolder } ?? 0
    let holder = nodes[last]
    switch holder.kind {
    case .block(.task): self = .task(holder.name)
    case .block(.instance):
      let property = links.isEmpty ? nil : links[min(last, links.count - 1)].name
      self = .field(property, of: TypeName.withoutArguments(holder.shortName))
    case .global: self = .global(holder.name)
    case .stack: self = .stack
    case .variable: self = .variable(holder.name)
    default: self = .passage(holder.readableName)
    }
  }
}

extension Holder: CustomStringConvertible {
  /// `task forwarder`, `DataCacheUseCaseImpl.dataCacheRepo`, `global Registry.entries`.
  package var description: String {
    switch self {
    case .task(let name): "task \(name)"
    case .field(let name, let type): type + (name.map { ".\($0)" } ?? "")
    case .global(let name): "global \(name)"
    case .stack: "the stack"
    case .variable(let name): "variable \(name)"
    case .passage(let name): name
    }
  }
}

extension Holder: Codable {
  /// Reads the description, the form that a report has.
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    if text.hasPrefix("task ") {
      self = .task(String(text.dropFirst("task ".count)))
    } else if text.hasPrefix("global ") {
      self = .global(String(text.dropFirst("global ".count)))
    } else if text.hasPrefix("variable ") {
      self = .variable(String(text.dropFirst("variable ".count)))
    } else if let dot = text.lastIndex(of: ".") {
      self = .field(String(text[text.index(after: dot)...]), of: String(text[..<dot]))
    } else {
      self = text == Holder.stack.description ? .stack : .passage(text)
    }
  }

  /// Writes the description.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension HeapNode {
  /// Whether a reader would call this a holder; a closure or a buffer is held by one.
  fileprivate var isHolder: Bool {
    switch kind {
    case .block(.task), .block(.instance), .global, .stack, .variable: true
    default: false
    }
  }
}
