import HeapGraph

/// Who holds an object in the end, in a form that a scenario can declare and that is the same in
/// debug and release.
///
/// Whether a waiting task holds an object through its closure, a frame or a slab of frames is the
/// optimiser's choice; that the task holds it is not.
struct Holder {
  /// `task forwarder`, `DataCacheUseCaseImpl.dataCacheRepo`, `global Registry.entries`.
  let name: String

  /// The holder at the end of a chain.
  init(of path: RetainPath) {
    let nodes = [path.start] + path.steps.map(\.node)
    let last = nodes.dropLast().lastIndex { $0.isHolder } ?? 0
    let holder = nodes[last]
    let edge = path.steps.isEmpty ? nil : path.steps[min(last, path.steps.count - 1)].edge
    name = Self.name(of: holder, edge)
  }

  private static func name(of holder: HeapNode, _ edge: RetainEdge?) -> String {
    switch holder.kind {
    case .block(.task): "task \(holder.name)"
    case .block(.instance):
      TypeName.withoutArguments(holder.readableName) + (edge?.name.map { ".\($0)" } ?? "")
    case .global: "global \(holder.name)"
    case .stack: "the stack"
    default: holder.readableName
    }
  }
}

extension HeapNode {
  /// Whether a reader would call this a holder; a closure or a buffer is held by one.
  fileprivate var isHolder: Bool {
    switch kind {
    case .block(.task), .block(.instance), .global, .stack: true
    default: false
    }
  }
}
