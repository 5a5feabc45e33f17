import MemlabRuntimeABI

/// Why one object is alive: the shortest chain of strong references from a root to it.
///
/// The snapshot builds it. The report, its JSON form, the graph, the page, the walk and LeakCheck all
/// read this one value; ``ChainInWords`` has the words for it.
package struct RetainChain: Sendable, Codable, Hashable {
  /// The name of the object's class: qualified, or short once the chain is ``named``.
  package var type: String
  /// Where the chain begins.
  package var root: Root
  /// The references in order. The last one leads to the object; in a cycle, back to it.
  package var links: [Link]
  /// How many links were left out in the middle, for a chain of more than 64: a long list has
  /// thousands.
  package var omitted = 0
  /// Who holds the object in the end.
  package var holder: Holder
  /// How many strong references to the object were found on the heap and in global variables.
  package var referencesFound: Int
  /// The runtime's own count of strong references; nil for an immortal object.
  package var retainCount: Int?
  /// How many releases would go on inside one another if the object was released; nil below
  /// ``deepRelease``, and where that is not known.
  package var releaseDepth: Int?
  /// The recorder's number of the object: of two objects, the later one has the higher. Zero for a
  /// chain that was read from JSON.
  package var serial: UInt64 = 0

  /// From how many on ``releaseDepth`` is told. Each takes 80 to 310 bytes of the stack on x86-64, of which
  /// a thread has 8 MB on Linux and may have 512 KB elsewhere.
  package static let deepRelease = 1_000

  /// What the release of the object would do to the stack, as a sentence; nil where that is nothing to
  /// speak of.
  package var releaseWarning: String? {
    releaseDepth.map {
      "Releasing \(TypeName.short(type)) would recurse \($0) deep: each object is released by the "
        + "one that held it. The stack may be too small for that."
    }
  }

  private enum CodingKeys: String, CodingKey {
    case type, root, links, referencesFound, retainCount, releaseDepth
    case holder = "heldBy"
  }

  /// Where a chain begins.
  package struct Root: Sendable, Hashable {
    /// What kind of root it is.
    package var kind: Kind
    /// The task, the variable, or for ``Kind/cycle`` and ``Kind/unknown`` an object. For an object
    /// that is part of a cycle it is the object itself.
    package var node: HeapNode
    /// The task, for ``Kind/task``; nil for a chain that was read from JSON.
    package var task: HeapTask?
    /// What a task waits for, such as `AsyncThrowingStream.Iterator.next()`; nil until
    /// somebody has read its backtrace.
    package var suspendedIn: String?
    /// Where in the code under study a task waits, the innermost function first; empty until
    /// somebody has read its backtrace.
    package var frames: [HeapFrame] = []
    /// For ``Kind/cycle``, whether the runtime counts more references to an object of the chain than
    /// were found: what holds it besides is not known. False for a chain that was read from JSON.
    package var isHeldElsewhere = false

    /// What a chain can begin at.
    package enum Kind: String, Sendable, Codable {
      /// A task that has not finished: the runtime keeps it.
      case task
      /// A variable in a loaded image's data.
      case global
      /// A variable whose name was given to the snapshot.
      case variable
      /// Objects that hold each other, and that nothing else holds.
      case cycle
      /// Nothing on the recorded heap: another thread's stack, or a block older than the recording.
      case unknown
    }
  }

  /// One strong reference of a chain, and what it leads to.
  package struct Link: Sendable, Hashable {
    /// What the reference is.
    package var kind: Kind
    /// The property's name, an element's index, or the function whose frame holds the reference.
    package var name: String?
    /// The closure that is stored here when the object is all that it captured: such a closure has
    /// no context of its own.
    package var closure: String?
    /// How far into the holder the reference is, in bytes; into the frame for ``Kind/frame``.
    package var offset = 0
    /// Where ``closure`` is written; nil where that is not known or was not asked.
    package var closureLocation: CodeLocation?
    /// What the reference leads to.
    package var target: HeapNode
    /// Whether that is what the chain begins with. False for a chain that was read from JSON.
    package var closesRing = false
    /// Whether it is the reference to cut of the ring that the chain begins with: what a closure has
    /// captured, which can be weak; or else the oldest object, because a child is made after its parent and
    /// should not own it. It is the same one whichever of the ring's objects is asked about, unless the ring
    /// is too long to be shown whole.
    package var breaksRing = false

    /// A reference to what it leads to.
    package init(
      kind: Kind, name: String? = nil, closure: String? = nil, offset: Int = 0,
      closureLocation: CodeLocation? = nil, target: HeapNode
    ) {
      (self.kind, self.name, self.closure, self.offset) = (kind, name, closure, offset)
      (self.closureLocation, self.target) = (closureLocation, target)
    }

    /// What a reference is in the language.
    package enum Kind: String, Sendable, Codable {
      /// A stored property; ``RetainChain/Link/name`` is its name.
      case field
      /// An element of an array, or a key or a value.
      case element
      /// A closure's capture, or a variable's box.
      case capture
      /// The closure that a task runs.
      case body
      /// The result that a finished task keeps.
      case result
      /// A local variable of a suspended function; ``RetainChain/Link/name`` is the function's.
      case frame
      /// A task's own memory.
      case slab
      /// A global variable; ``RetainChain/Link/name`` is its name.
      case global
      /// A variable whose name was given to the snapshot.
      case variable
      /// A word of memory whose use isn't known.
      case memory
    }
  }
}

/// A block on a chain, or the place where a chain begins.
package struct HeapNode: Sendable, Hashable {
  /// What it is.
  package var kind: Kind
  /// A class's name, a task's, a closure's or a variable's; empty if unknown. Classes have their
  /// qualified names, or readable ones once a chain is ``RetainChain/named``.
  package var name: String
  /// Where a closure is written; nil where that is not known or was not asked.
  package var location: CodeLocation?

  /// A block, or a place where a chain begins.
  package init(kind: Kind, name: String, location: CodeLocation? = nil) {
    (self.kind, self.name, self.location) = (kind, name, location)
  }

  /// What is at this place of a chain.
  package enum Kind: Sendable, Hashable {
    /// A block of the heap.
    case block(HeapBlockKind)
    /// A global or static variable.
    case global
    /// A variable whose name was given to the snapshot.
    case variable
  }

  /// Whether it is an object, and not a closure or a buffer on the way to one.
  package var isObject: Bool { kind == .block(.instance) }

  /// Whether it is a closure that the compiler makes to fit another one to its use.
  package var isThunk: Bool {
    kind == .block(.context) && name.contains("\(abi.glue.reabstraction)".dropLast())
  }

  /// The name for a reader: a type without its module, a closure, a task; or else the kind.
  package var shortName: String {
    switch kind {
    case .block(.instance), .block(.buffer), .block(.error): TypeName.short(name)
    case .block(let kind) where name.isEmpty: kind.rawValue
    default: name
    }
  }

  /// The short name; what a long type is generic over is left out. The type of a pipeline of
  /// operators names every one of them.
  package var readableName: String {
    switch kind {
    case .block(.instance), .block(.buffer), .block(.error):
      shortName.count <= 40 ? shortName : TypeName.withoutArguments(shortName) + "<…>"
    default: shortName
    }
  }
}

/// A function that waits, and where.
package struct HeapFrame: Sendable, Codable, Hashable {
  /// The function.
  package let function: String
  // Apart, as the report has them.
  private let file: String?
  private let line: Int?
  private var folder = ""

  private enum CodingKeys: String, CodingKey { case function, file, line }

  /// The line of the `await`; nil without debug information.
  package var location: CodeLocation? {
    file.flatMap { file in line.map { CodeLocation(file: file, line: $0, in: folder) } }
  }

  /// A function, and where it waits.
  package init(function: String, location: CodeLocation?) {
    (self.function, file, line) = (function, location?.file, location?.line)
    folder = location?.folder ?? ""
  }

  /// A frame of a backtrace.
  package init(_ frame: AsyncFrame) {
    self.init(function: frame.function, location: frame.location)
  }
}

// The form of a chain in `memlab.report/1`. Names are as they are in the chain; what the form does
// not have is nil, zero or unknown in a chain that is read from it.

extension RetainChain.Root: Codable {
  private struct Form: Codable {
    let kind: Kind
    let name: String
    let suspendedIn: String?
    let frames: [HeapFrame]
  }

  /// Reads a root of a report.
  package init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    let block: HeapNode.Kind =
      switch form.kind {
      case .task: .block(.task)
      case .global: .global
      case .variable: .variable
      case .cycle, .unknown: .block(.memory)
      }
    self.init(
      kind: form.kind, node: HeapNode(kind: block, name: form.name), suspendedIn: form.suspendedIn,
      frames: form.frames)
  }

  /// Writes `kind`, `name`, `suspendedIn` and `frames`.
  package func encode(to encoder: any Encoder) throws {
    let form = Form(kind: kind, name: node.name, suspendedIn: suspendedIn, frames: frames)
    try form.encode(to: encoder)
  }
}

extension RetainChain.Link: Codable {
  private struct Form: Codable {
    let kind: Kind
    let name: String?
    let to: String
    let isObject: Bool
  }

  /// Reads a link of a report.
  package init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    let target = HeapNode(kind: .block(form.isObject ? .instance : .memory), name: form.to)
    self.init(kind: form.kind, name: form.name, target: target)
  }

  /// Writes `kind`, `name`, `to` and `isObject`. A capture has no name in the language.
  package func encode(to encoder: any Encoder) throws {
    let name = kind == .capture ? nil : name
    try Form(kind: kind, name: name, to: target.name, isObject: target.isObject).encode(to: encoder)
  }
}

/// What a block of the heap is.
package enum HeapBlockKind: String, Sendable, Codable, CaseIterable {
  /// An instance of a class, an actor included.
  case instance
  /// The storage of an array, a dictionary, a set or a string.
  case buffer
  /// What a closure captured, or the box of a captured variable.
  case context
  /// A thrown error.
  case error
  /// A task: its state and its first frame.
  case task
  /// More frames of a task.
  case taskSlab
  /// What weak references to an object point at.
  case sideTable
  /// Type metadata that the runtime made.
  case metadata
  /// Memory of no known use.
  case memory
}

/// A line of a source file.
package struct CodeLocation: Codable, Sendable, Hashable, CustomStringConvertible {
  /// The file: its name alone, its module and name as `#fileID` has them, or its path.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The folder that the compiler has found the file in; empty where that is not known. It is different
  /// wherever a package is built, so no two places differ by it, and JSON does not have it.
  package private(set) var folder = ""

  private enum CodingKeys: String, CodingKey { case file, line }

  /// A line of a file.
  package init(file: String, line: Int, in folder: String = "") {
    (self.file, self.line, self.folder) = (file, line, folder)
  }

  /// The file with its folder.
  package var path: String { folder.isEmpty ? file : folder + "/" + file }

  /// Whether the file's name and the line are the same.
  package static func == (first: Self, second: Self) -> Bool {
    first.file == second.file && first.line == second.line
  }

  /// Mixes in the file's name and the line.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(line)
  }

  /// A line of a file in a package.
  ///
  /// - Parameter path: as `#filePath` has it; what is before the package's `Sources` or `Tests` is
  ///   cut off, so that it is the same wherever the package is built.
  package init(pathInPackage path: String, line: Int) {
    let root = path.utf8.split(separator: UInt8(ascii: "/")).last {
      $0.elementsEqual("Sources".utf8) || $0.elementsEqual("Tests".utf8)
    }
    self.init(file: String(path[(root?.startIndex ?? path.startIndex)...]), line: line)
  }

  /// The file's name without its folder.
  package var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }

  /// `File.swift:12`.
  package var description: String { "\(fileName):\(line)" }
}

extension RetainChain {
  /// The chain as the source has it: an array is a property with elements there, and a block of its
  /// own on the heap, so the link to it and the link from it become one. Blocks of a C library,
  /// which have no names, become one.
  ///
  /// - Parameter isGlue: what is left out because it is not in the source. What it leads to is named
  ///   as if it were in its place.
  package func asWritten(hiding isGlue: (HeapNode) -> Bool) -> RetainChain {
    var chain = self
    chain.links = []
    var array: String?
    var glued: Link?
    for (index, link) in links.enumerated() {
      let link = link.inPlace(of: glued)
      glued = isGlue(link.target) && (link.name ?? array) != nil ? link : nil
      if isGlue(link.target) { continue }
      let isBuffer = link.target.kind == .block(.buffer)
      let name = array.map { "\($0)[\(link.name ?? "…")]" } ?? link.name
      array = isBuffer ? name ?? "an array" : nil
      let isPassed = isBuffer || link.target.isMemory && chain.links.last?.target.isMemory == true
      guard !isPassed || index == links.count - 1 else { continue }
      chain.links.append(link)
      chain.links[chain.links.count - 1].name = name
    }
    return chain
  }

  /// The chain with names for a reader in place of qualified ones.
  package var named: RetainChain {
    var chain = self
    chain.type = TypeName.short(type)
    chain.root.node.name = root.node.readableName
    for index in links.indices { chain.links[index].target.name = links[index].target.readableName }
    return chain
  }
}

extension RetainChain.Link {
  // As if it were where glue is that leads on to it. An object there is captured by a closure that
  // has no block of its own, and the closure is named instead.
  fileprivate func inPlace(of glue: RetainChain.Link?) -> RetainChain.Link {
    guard let glue, name == nil else { return self }
    var link = self
    link.name = glue.name
    if target.kind == .block(.context) { link.kind = glue.kind }
    return link
  }
}

extension HeapNode { fileprivate var isMemory: Bool { kind == .block(.memory) && name.isEmpty } }
