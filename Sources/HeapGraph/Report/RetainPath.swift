/// Why one object is alive: the shortest chain of strong references from a root to it.
public struct RetainPath: Sendable, Codable, Hashable {
  /// The qualified name of the object's class.
  public var type: String
  /// What kind of root the chain begins at.
  public var root: Root
  /// Where the chain begins: the task, the variable, or for ``Root/cycle`` and ``Root/unknown``
  /// an object. For an object that is part of a cycle it is the object itself.
  public var start: HeapNode
  /// The task that the chain begins at, for ``Root/task``.
  public var task: HeapTask?
  /// The references in order. The last one leads to the object; in a cycle, back to it.
  public var steps: [RetainStep]
  /// How many steps were left out in the middle, for a chain of more than 64: a long list has
  /// thousands.
  public var omitted: Int
  /// How many strong references to the object were found on the heap and in global variables.
  public var referencesFound: Int
  /// The runtime's own count of strong references; nil for an immortal object.
  public var retainCount: Int?
  /// The recorder's number of the object: of two objects, the later one has the higher.
  public var serial: UInt64

  /// What a chain can begin at.
  public enum Root: String, Sendable, Codable {
    /// A task that has not finished.
    case task
    /// A variable in a loaded image's data.
    case global
    /// A slot of the current thread's stack: a local variable, or what is left of one.
    case stack
    /// Objects that hold each other, and that nothing else holds.
    case cycle
    /// Nothing on the recorded heap: another thread's stack, or a block older than the recording.
    case unknown
  }
}

/// One strong reference of a chain, and what it leads to.
public struct RetainStep: Sendable, Codable, Hashable {
  /// Where in its holder the reference is.
  public var edge: RetainEdge
  /// What it leads to.
  public var node: HeapNode
}

/// A strong reference: where in its holder it is.
public struct RetainEdge: Sendable, Codable, Hashable {
  /// What it is.
  public var kind: Kind
  /// The property's name, an element's index, or the function whose frame holds the reference.
  public var name: String?
  /// The closure that is stored here when the object is all that it captured: such a closure has
  /// no context of its own.
  public var closure: String?
  /// How far into the holder the reference is, in bytes; into the frame for ``Kind/frame``.
  public var offset: Int

  /// What a reference is in the language.
  public enum Kind: String, Sendable, Codable {
    /// A stored property; ``RetainEdge/name`` is its name.
    case field
    /// An element of an array, or a key or a value.
    case element
    /// A closure's capture, or a variable's box.
    case capture
    /// The closure that a task runs.
    case body
    /// The result that a finished task keeps.
    case result
    /// A local variable of a suspended function; ``RetainEdge/name`` is the function's.
    case frame
    /// A task's own memory.
    case slab
    /// A global variable; ``RetainEdge/name`` is its name.
    case global
    /// A word of a thread's stack.
    case stack
    /// A word of memory whose use isn't known.
    case memory
  }
}

/// A block on a chain, or the place where a chain begins.
public struct HeapNode: Sendable, Codable, Hashable {
  /// What it is.
  public var kind: Kind
  /// A class's qualified name, a task's name, a closure's or a variable's; empty if unknown.
  public var name: String
  /// The block's size; 0 for what isn't a block.
  public var bytes: Int

  /// What is at this place of a chain.
  public enum Kind: Sendable, Codable, Hashable {
    case block(HeapBlockKind)
    case global
    case stack
  }
}

/// Objects that hold each other in a circle and that no root reaches.
public struct HeapCycle: Sendable, Codable, Hashable {
  /// The blocks of the group; a group may be made of several circles.
  public var members: [HeapNode]
}

/// What a leak costs.
public struct HeapCost: Sendable, Codable, Hashable {
  /// How many blocks would be freed.
  public var blocks: Int
  /// Their size together.
  public var bytes: Int
}
