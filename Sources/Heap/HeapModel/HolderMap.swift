/// Everything that holds some objects: every strong reference on the ways from the roots to them.
///
/// A ``RetainChain`` is one way to an object, the shortest; this is all of them.
package struct HolderMap: Sendable {
  /// Something on the ways: a root, an object or a closure.
  package struct Place: Sendable {
    /// What it is.
    package let node: HeapNode
    /// The recorder's number of its block: of two, the later one has the higher. Zero for a global
    /// variable.
    package let serial: UInt64
    /// Whether it is a root: a task that has not finished, a variable.
    package let isRoot: Bool
    /// The references to it, if it is one of the objects that were asked for.
    package fileprivate(set) var account: RetainAccount?

    /// A place on the ways.
    package init(node: HeapNode, serial: UInt64, isRoot: Bool, account: RetainAccount?) {
      (self.node, self.serial, self.isRoot, self.account) = (node, serial, isRoot, account)
    }
  }

  /// A strong reference from one place to another. Buffers and slabs on the way are left out.
  package struct Reference: Sendable {
    /// The index of the place that holds.
    package let from: Int
    /// The index of the place that is held.
    package let to: Int
    /// What the reference is in the language.
    package let link: RetainChain.Link
    /// Who holds in the end: the place itself, or for a closure nil.
    package let holder: Holder?

    /// A reference between places.
    package init(from: Int, to: Int, link: RetainChain.Link, holder: Holder?) {
      (self.from, self.to, self.link, self.holder) = (from, to, link, holder)
    }
  }

  /// The places, the objects that were asked for first, the oldest first.
  package var places: [Place] = []
  /// The references, in the order of the places that they lead to.
  package var references: [Reference] = []

  /// A map without places.
  package init() {}

  /// Who holds a place in the end, by every way: past closures, up to tasks, variables and objects.
  package func holders(of place: Int) -> [Holder] {
    var passed: Set<Int> = []
    return holders(of: place, passing: &passed).uniqued()
  }

  /// The map with one more variable, which holds what the runtime counts and nothing on the heap has.
  ///
  /// What is on no heap and in no global variable is held by local variables, of code in which they
  /// cannot be given names. So are buffers that nothing holds: the elements of an array.
  ///
  /// - Parameter name: what to call them all.
  package func holdingTheRest(in name: String) -> HolderMap {
    let held = Set(references.map(\.to))
    let isUnheldBuffer = places.indices.map {
      places[$0].node.kind == .block(.buffer) && !held.contains($0)
    }
    let isShort = places.contains { ($0.account?.uncounted ?? 0) > 0 }
    guard isShort || isUnheldBuffer.contains(true) else { return self }
    var map = HolderMap()
    let root = isUnheldBuffer.count { !$0 }
    var moved: [Int] = []
    for (place, isLeftOut) in zip(places, isUnheldBuffer) {
      moved.append(isLeftOut ? root : map.places.count)
      if !isLeftOut { map.places.append(place) }
    }
    map.references = references.map { reference in
      Reference(
        from: moved[reference.from], to: moved[reference.to], link: reference.link,
        holder: isUnheldBuffer[reference.from] ? .variable(name) : reference.holder)
    }
    for index in map.places.indices { map.addRest(of: index, in: name, at: root) }
    let variables = HeapNode(kind: .variable, name: name)
    map.places.append(Place(node: variables, serial: 0, isRoot: true, account: nil))
    return map
  }

  private mutating func addRest(of index: Int, in name: String, at root: Int) {
    guard let uncounted = places[index].account?.uncounted, uncounted > 0 else { return }
    places[index].account?.namedRoots += uncounted
    let link = RetainChain.Link(kind: .variable, target: places[index].node)
    references.append(Reference(from: root, to: index, link: link, holder: .variable(name)))
  }

  private func holders(of place: Int, passing passed: inout Set<Int>) -> [Holder] {
    var found: [Holder] = []
    for reference in references where reference.to == place {
      if let holder = reference.holder {
        found.append(holder)
      } else if passed.insert(reference.from).inserted {
        let above = holders(of: reference.from, passing: &passed)
        let isHeld = references.contains { $0.to == reference.from }
        found += isHeld ? above : [.passage(places[reference.from].node.readableName)]
      }
    }
    return found
  }
}

/// The strong references to one object, counted in two ways that must agree.
package struct RetainAccount: Sendable, Hashable {
  /// How many were found in other objects, closures, tasks and global variables.
  package let referencesFound: Int
  /// How many variables hold it whose names are known.
  package fileprivate(set) var namedRoots: Int
  /// The runtime's own count of strong references; nil for an immortal object.
  package let retainCount: Int?

  /// Counts that were read.
  package init(referencesFound: Int, namedRoots: Int, retainCount: Int?) {
    (self.referencesFound, self.namedRoots) = (referencesFound, namedRoots)
    self.retainCount = retainCount
  }

  /// How many references the runtime counts that were neither found nor have a name; negative where more
  /// were found than it counts.
  package var uncounted: Int { (retainCount ?? 0) - referencesFound - namedRoots }

  /// Whether every reference that the runtime counts was found, and no other.
  package var isBalanced: Bool { retainCount.map { $0 == referencesFound + namedRoots } ?? true }
}

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
    case .variable: self = .variable(holder.name)
    default: self = .passage(holder.readableName)
    }
  }
}

extension Holder: CustomStringConvertible {
  /// `task forwarder`, `DataCacheUseCaseImpl.dataCacheRepo`, `global Registry.entries`.
  package var description: String {
    switch self {
    case .task(let name): name.isEmpty ? "a task" : "task \(name)"
    case .field(let name, let type): type + (name.map { ".\($0)" } ?? "")
    case .global(let name): "global \(name)"
    case .variable(let name): "variable \(name)"
    case .passage(let name): name
    }
  }
}

extension Holder: Codable {
  /// Reads the description, the form that a report has.
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let kinds = [("task ", Self.task), ("global ", Self.global), ("variable ", Self.variable)]
    if let (start, kind) = kinds.first(where: { text.hasPrefix($0.0) }) {
      self = kind(String(text.dropFirst(start.count)))
    } else if let dot = text.lastIndex(of: ".") {
      self = .field(String(text[text.index(after: dot)...]), of: String(text[..<dot]))
    } else {
      self = .passage(text)
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
    case .block(.task), .block(.instance), .global, .variable: true
    default: false
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements, each once, in the order in which they first occur.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
