/// A chain of strong references in a reader's words, from its root down, a row for each closure,
/// function or object. A terminal, a page and a failed test only differ in how they set it.
package struct ChainInWords: Sendable, Equatable {
  /// Something on the way, and how what is above it holds it.
  package struct Row: Sendable, Equatable {
    /// How it is held: `captured`, a property's name; empty where its name says all.
    package var reference: String
    /// What it is.
    package var name: String
    /// Where in the code under study it is; nil where that is not known.
    package var location: CodeLocation?
    /// The module of its type, if that is not the module of the object at the chain's end; nil also
    /// for what has no type.
    package var otherModule: String?
    /// What is said of the reference if it is the edge to cut, and not one that was shown before.
    package fileprivate(set) var cut: String?

    /// A row.
    package init(
      reference: String = "", name: String, location: CodeLocation? = nil,
      otherModule: String? = nil
    ) {
      (self.reference, self.name) = (reference, name)
      (self.location, self.otherModule) = (location, otherModule)
    }
  }

  /// Who reads the chain, and what is known beside it.
  package enum Reader: Sendable {
    /// A reader of memlab's report, who has the code under study.
    case report
    /// Somebody whose own test has found a leak, and who may know any of the code on the way.
    ///
    /// - Parameters:
    ///   - task: the task that the chain begins at, with where it was created and what it does.
    ///   - thread: the thread that refers to an object that nothing else was found to hold.
    case test(task: String?, thread: String?)

    // The names in a report are readable already.
    fileprivate func name(of node: HeapNode) -> String {
      if case .report = self { node.name } else { node.shortName }
    }
  }

  /// What the chain begins at.
  package let root: String
  /// What follows; the last one is the object.
  package let rows: [Row]
  // The links that the chain does not have.
  private let omitted: Int

  /// The words for a chain.
  ///
  /// - Parameters:
  ///   - chain: the chain, with the links that the reader is to see.
  ///   - explained: types whose own chains were shown; where this one passes through such an
  ///     object, it begins there.
  ///   - reader: for whom it is.
  package init(_ chain: RetainChain, explained: [String] = [], for reader: Reader) {
    let known = chain.links.dropLast().lastIndex {
      $0.target.isObject && explained.contains($0.target.name)
    }
    root =
      known.map { "\(chain.links[$0].target.name), see above" } ?? chain.unreadHolders(for: reader)
      ?? chain.root.inWords(for: reader)
    omitted = chain.omitted
    let (holders, ambiguous) = ([nil] + chain.links.map(\.target), chain.ambiguousNames)
    let links = zip(holders, chain.links).enumerated()
    rows = links.dropFirst((known ?? -1) + 1).flatMap { place, part in
      let (holder, link) = part
      switch reader {
      case .report:
        var rows = link.rows(to: reader.name(of: link.target), chain.root)
        let isCut = known == nil && place == chain.links.count - 1
        rows[rows.count - 1].cut = isCut ? "the edge to cut" : nil
        return rows
      case .test:
        let isAmbiguous = ambiguous.contains(link.target.shortName)
        let name = isAmbiguous ? link.target.name : reader.name(of: link.target)
        var rows = link.rowsForTest(to: name, from: holder, chain.root)
        rows[rows.count - 1].otherModule = link.target.module(besides: chain.links.last?.target)
        rows[rows.count - 1].cut = place == chain.placeOfCut ? chain.cut : nil
        return rows
      }
    }
  }

  /// The line of the last function or closure on the chain that has one: the code that keeps the object.
  package var location: CodeLocation? { rows.reversed().lazy.compactMap(\.location).first }

  /// The rows, at most eight; see ``few(_:)``.
  package var fewRows: [Row] { Self.few(rows, besides: omitted) }

  /// At most eight rows, besides so many that were left out before. Of more than six, neighbours whose
  /// types are of one other module become one row: a pipeline of operators is a chain of a dozen objects
  /// of a library.
  package static func few(_ rows: [Row], besides count: Int = 0) -> [Row] {
    guard rows.count > 6 else { return rows }
    var rows = withFoldedLibraries(rows)
    guard rows.count > 8 else {
      let place = rows.firstIndex { $0.name.hasPrefix("… ") }
      if count > 0, let place { rows.insert(Row(name: "… \(count) more …"), at: place + 1) }
      return rows
    }
    var omitted = Row(name: "… \(rows.count - 7 + count) more …")
    omitted.cut = rows.dropFirst(3).dropLast(4).lazy.compactMap(\.cut).first
    return Array(rows.prefix(3)) + [omitted] + Array(rows.suffix(4))
  }

  private static func withFoldedLibraries(_ rows: [Row]) -> [Row] {
    var (found, start): ([Row], Int) = ([], 0)
    while start < rows.count {
      let module = rows[start].otherModule
      let end = rows[start...].firstIndex { $0.otherModule != module } ?? rows.count
      if let module, end - start > 2 {
        found.append(Row(name: "… \(end - start) of \(module) …"))
      } else {
        found += rows[start..<end]
      }
      start = end
    }
    return found
  }
}

extension HeapNode {
  // Of a reader's own classes none is left out, and the object at the end is one of these.
  fileprivate func module(besides last: HeapNode?) -> String? {
    guard isObject, let own = name.split(separator: ".").first else { return nil }
    return own == last?.name.split(separator: ".").first ? nil : String(own)
  }
}

extension RetainChain {
  // The short names that several types on the chain have: of two modules, or of two enclosing types.
  fileprivate var ambiguousNames: Set<String> {
    var (types, ambiguous): ([String: String], Set<String>) = ([:], [])
    for node in [root.node] + links.map(\.target) where node.isObject {
      guard let other = types.updateValue(node.name, forKey: node.shortName) else { continue }
      if other != node.name { ambiguous.insert(node.shortName) }
    }
    return ambiguous
  }

  // Memory that is not read as Swift's: a C library's, or a pointer that was changed.
  fileprivate func unreadHolders(for reader: ChainInWords.Reader) -> String? {
    guard case .test(_, nil) = reader, root.kind == .unknown, links.isEmpty, let retainCount,
      retainCount > referencesFound
    else { return nil }
    let references = "\(retainCount) strong reference\(retainCount == 1 ? "" : "s")"
    let found = "\(referencesFound) \(referencesFound == 1 ? "was" : "were") found"
    return "memory that was not read: the runtime counts \(references) to "
      + "\(reader.name(of: root.node)), \(found)"
  }
}

extension RetainChain {
  /// The chain in a reader's places: without thunks and slabs, and without what libdispatch notes a call
  /// in, where a timer or a thing of its own leads to it.
  package var asWrittenForTest: RetainChain {
    let nodes = [root.node] + links.map(\.target)
    let isOfQueues = root.event != nil || nodes.contains(where: \.isOfQueues)
    var chain = asWritten {
      $0.isThunk || $0.kind == .block(.taskSlab) || isOfQueues && $0.isUnnamedMemory
    }
    if root.event != nil, !chain.links.isEmpty { chain.links[0].name = nil }
    return chain
  }

  /// What the edge to cut is: where objects of one class hold each other by several properties, one in
  /// each of them.
  fileprivate var cut: String {
    let types = Set(ring.map(\.target.name))
    // A tree's children are all in one property.
    let properties = Set(ring.map { $0.name?.prefix { $0 != "[" } })
    let isMutual =
      root.kind == .cycle && types.count == 1 && properties.count > 1
      && ring.allSatisfy { $0.target.isObject && $0.name != nil && $0.closure == nil }
    return isMutual ? "the edge to cut, in every \(root.node.shortName)" : "the edge to cut"
  }

  fileprivate var placeOfCut: Int { links.firstIndex(where: \.breaksRing) ?? ring.endIndex - 1 }

  // The links of the ring that the chain begins with, and that holds what follows; all of any other chain.
  fileprivate var ring: ArraySlice<Link> {
    links.prefix((links.firstIndex(where: \.closesRing) ?? links.count - 1) + 1)
  }
}

extension RetainChain.Root {
  // Each variable of libdispatch's leads to what waits for events of one kind.
  private static let events = [
    "_dispatch_timers_heap": "a timer that is to fire",
    "_dispatch_sources": "a source that waits for its event",
  ]

  fileprivate var event: String? { kind == .global ? Self.events[node.name] : nil }

  /// `task forwarder`, `global Registry.entries`, or the object that a cycle is entered at: the name
  /// of a root in a graph.
  package var title: String {
    switch kind {
    case .task: Holder.task(node.name).description
    case .global: Holder.global(node.name).description
    case .variable: Holder.variable(node.name).description
    case .cycle, .unknown: node.name
    }
  }

  fileprivate func inWords(for reader: ChainInWords.Reader) -> String {
    let name = node.boxName ?? reader.name(of: node)
    return switch (kind, reader) {
    case (.task, .report): title + (suspendedIn.map { ", suspended in \($0)" } ?? "")
    case (.task, .test(let task, _)): task ?? "a task"
    case (.global, .test): event ?? "global variable \(name)"
    case (.global, .report): "global variable \(name)"
    case (.variable, _): "variable \(name)"
    case (.cycle, .report): "a cycle with no root: \(name)"
    case (.cycle, .test(_, let thread)):
      "objects that hold each other, and that \(elsewhere(thread)): \(name)"
    case (.unknown, .report), (.unknown, .test(_, nil)):
      "nothing that was recorded, by way of \(name)"
    case (.unknown, .test(_, let thread?)): "a variable of \(thread), by way of \(name)"
    }
  }

  // Who holds a cycle besides its own objects.
  private func elsewhere(_ thread: String?) -> String {
    if let thread { return "\(thread) refers to" }
    return isHeldElsewhere ? "memory that was not read holds, too" : "nothing else holds"
  }

  fileprivate func location(of function: String) -> CodeLocation? {
    frames.first { $0.function == function }?.location
  }
}

extension RetainChain.Link {
  /// How the object is held: `captured`, `local variable`, a property's name.
  package var inWords: String {
    switch kind {
    case .field: name ?? "a property"
    case .element: name ?? "an element"
    case .capture: "captured"
    case .frame: "local variable"
    case .variable: ""
    default: name ?? kind.rawValue
    }
  }

  // A local variable of a waiting function gets a row for the function first, so that it reads like
  // a capture of a closure.
  fileprivate func rows(to target: String, _ root: RetainChain.Root) -> [ChainInWords.Row] {
    guard self.target.isObject else { return [row("", target, root)] }
    let function = kind == .frame ? name.map { [row("", $0, root)] } ?? [] : []
    return function + [ChainInWords.Row(reference: inWords, name: target)]
  }

  // A test's own code has boxes, errors and closures without a block, and more is known of them.
  fileprivate func rowsForTest(
    to target: String, from holder: HeapNode?, _ root: RetainChain.Root
  ) -> [ChainInWords.Row] {
    let isPart = kind == .field || kind == .element
    guard self.target.isObject else {
      let name = isPart || holder?.boxName != nil ? name ?? "" : ""
      let place = self.target.isThunk ? nil : self.target.location
      return [row(name, self.target.boxName ?? target, root, or: place)]
    }
    // A closure that has captured one object and nothing else has no block of its own.
    if let closure {
      return [
        row(kind == .global ? "" : name ?? "", closure, root, or: closureLocation),
        ChainInWords.Row(reference: "captured", name: target),
      ]
    }
    let isUnnamed = holder?.boxName != nil || holder?.isUnnamedMemory == true
    if isUnnamed || holder?.kind == .block(.error) {
      return [ChainInWords.Row(reference: name ?? "in it", name: target)]
    }
    return switch kind {
    case .body: [ChainInWords.Row(reference: "captured", name: target)]
    case .frame where name == nil: [ChainInWords.Row(reference: "in its memory", name: target)]
    case .global: [ChainInWords.Row(name: "→ \(target)")]
    default: rows(to: target, root)
    }
  }

  private func row(
    _ reference: String, _ name: String, _ root: RetainChain.Root,
    or declaration: CodeLocation? = nil
  ) -> ChainInWords.Row {
    // The line at which it waits says more than that at which it begins.
    ChainInWords.Row(
      reference: reference, name: name, location: root.location(of: name) ?? declaration)
  }
}

extension HeapNode {
  /// What the name of a box begins with whose type is known, which comes after it.
  package static let boxOf = "a box of "

  /// What a variable, the payload of an `indirect case` or a large value of any type is called: a block
  /// that nobody has named. Nil for others.
  var boxName: String? {
    guard kind == .block(.context) else { return nil }
    return name.isEmpty ? "a box" : name.hasPrefix(Self.boxOf) ? name : nil
  }
  fileprivate var isUnnamedMemory: Bool { kind == .block(.memory) && name.isEmpty }
  // A work item keeps its block behind a property of its own.
  fileprivate var isOfQueues: Bool {
    name.hasPrefix("Dispatch.") || kind == .block(.memory) && !name.isEmpty
  }
}
