/// The heap of a process at one moment, as a value that can be written to a file and read elsewhere.
///
/// A copy of the process makes it (see `MemlabProbe`); everything that is asked about it later is
/// asked outside. Blocks are numbers from zero, in order of address. Names are in tables, for a
/// million blocks have a few hundred of them.
package struct HeapDump: Sendable {
  /// What is known of the process as a whole.
  package var facts = Facts()
  /// What blocks can be.
  package var things: [HeapNode] = []
  /// What references can be.
  package var labels: [Label] = []
  /// Where tasks wait, those that wait alike together.
  package var groups: [TaskGroup] = []
  /// The blocks.
  package var blocks = Blocks()
  /// Where the references of each block begin, in ``targets``; one more than there are blocks.
  package var starts: ContiguousArray<UInt32> = [0]
  /// The blocks that the references lead to.
  package var targets: ContiguousArray<UInt32> = []
  /// Which of the labels each reference has.
  package var labelIDs: ContiguousArray<UInt32> = []
  /// What the first blocks of ways are held by.
  package var roots: [Int: Root] = [:]
  /// The unfinished tasks, those of `async let` too.
  package var tasks: [Task] = []

  /// An empty dump.
  package init() {}

  /// What is known of the process as a whole.
  package struct Facts: Sendable, Equatable {
    /// The process's number.
    package var process: Int32 = 0
    /// The name of its file.
    package var program = ""
    /// When it was, in seconds since 1970.
    package var time: Int64 = 0
    /// A serial that was taken just before the process was copied. Blocks with later ones were made
    /// while it was, or after.
    package var moment: UInt64 = 0
    /// How many blocks were made while the process was copied. By so many, the counts may be off.
    package var blocksInFlight = 0
    /// How many bytes of the process were resident.
    package var residentBytes: UInt64 = 0
    /// How many of them belonged to mappings that the allocator has blocks in.
    package var allocatorBytes: UInt64 = 0
    /// What cannot be told here, a sentence each.
    package var losses: [String] = []

    /// Nothing is known.
    package init() {}
  }

  /// What a reference is.
  package struct Label: Sendable, Hashable {
    /// What it is in the language.
    package var kind: RetainChain.Link.Kind
    /// The property's name, or the function whose frame holds it.
    package var name: String?
    /// The closure that is stored here when the object is all that it captured.
    package var closure: String?
    /// Where the closure is written.
    package var closureLocation: CodeLocation?

    /// A label.
    package init(
      kind: RetainChain.Link.Kind, name: String? = nil, closure: String? = nil,
      closureLocation: CodeLocation? = nil
    ) {
      (self.kind, self.name) = (kind, name)
      (self.closure, self.closureLocation) = (closure, closureLocation)
    }
  }

  /// What is known of each block, a list for each fact.
  package struct Blocks: Sendable {
    /// The recorder's numbers: the later a block, the higher. No two blocks of a process ever have
    /// the same.
    package var serials: ContiguousArray<UInt64> = []
    /// The sizes in bytes, as they were asked for.
    package var sizes: ContiguousArray<UInt32> = []
    /// Which of the things each block is.
    package var things: ContiguousArray<UInt32> = []
    /// The block that each was reached from; -1 for the first block of a way.
    package var holders: ContiguousArray<Int32> = []
    /// What the way to each begins at.
    package var origins: ContiguousArray<Origin> = []
    /// How many strong references to each were found.
    package var found: ContiguousArray<Int32> = []
    /// The runtime's own counts; -1 where it keeps none.
    package var counts: ContiguousArray<Int32> = []

    /// None.
    package init() {}

    /// How many there are.
    package var count: Int { serials.count }

    /// Their size together.
    package var bytes: Int { sizes.reduce(0) { $0 + Int($1) } }
  }

  /// What the way to a block begins at.
  package enum Origin: UInt8, Sendable {
    /// A task or a global variable.
    case root
    /// Objects that hold each other.
    case cycle
    /// Nothing that was recorded.
    case unknown
  }

  /// What holds the first block of a way.
  package enum Root: Sendable, Hashable {
    /// It is a task, the one at this place of ``HeapDump/tasks``.
    case task(Int)
    /// A global variable of this name; empty where it has none.
    case global(String)
  }

  /// Tasks of one name that wait at the same place.
  package struct TaskGroup: Sendable, Hashable {
    /// `task "forwarder"`, or where they were created.
    package var title: String
    /// What they wait in; nil where that is not known.
    package var suspendedIn: String?
    /// The program's functions that wait, the innermost first.
    package var frames: [HeapFrame]
    /// Whose functions wait.
    package var owner: Owner

    /// Whose functions wait.
    package enum Owner: UInt8, Sendable {
      /// One at least is the program's own, or it is not known whose they are.
      case program
      /// Nothing but Swift's libraries waits: they have made the tasks for themselves, as `Task.sleep`
      /// does for each sleep.
      case library
      /// All of them are in packages that the program depends on.
      case dependency
    }

    /// A group.
    package init(
      title: String, suspendedIn: String?, frames: [HeapFrame], owner: Owner = .program
    ) {
      (self.title, self.suspendedIn, self.frames) = (title, suspendedIn, frames)
      self.owner = owner
    }
  }

  /// A task that has not finished.
  package struct Task: Sendable, Hashable {
    /// Its block; -1 where it lies in its parent's memory.
    package var block: Int
    /// Its place in ``HeapDump/groups``.
    package var group: Int
    /// The runtime's number for it.
    package var id: UInt64
    /// Its name.
    package var name: String?
    /// What it does.
    package var state: State
    /// Whether another task waits for it at the end of a scope.
    package var isChild: Bool

    /// What a task does.
    package enum State: UInt8, Sendable {
      /// It waits for something.
      case suspended
      /// It waits for a thread.
      case enqueued
      /// A thread runs it.
      case running
    }

    /// A task.
    package init(block: Int, group: Int, id: UInt64, name: String?, state: State, isChild: Bool) {
      (self.block, self.group, self.id) = (block, group, id)
      (self.name, self.state, self.isChild) = (name, state, isChild)
    }
  }
}

extension HeapDump {
  /// What a block is.
  package func thing(_ block: Int) -> HeapNode { things[Int(blocks.things[block])] }

  /// The references that a block holds, as places in ``targets``.
  package func references(of block: Int) -> Range<Int> {
    Int(starts[block])..<Int(starts[block + 1])
  }

  /// The blocks that lead to a block, in order from its root, the block itself included.
  package func path(to block: Int) -> [Int] {
    var path = [block]
    while case let holder = blocks.holders[path[path.count - 1]], holder >= 0 {
      path.append(Int(holder))
    }
    return path.reversed()
  }
}

extension HeapDump: ChainSource {
  package func way(to block: Int) -> (blocks: [Int], kind: RetainChain.Root.Kind) {
    let path = path(to: block)
    switch (blocks.origins[block], roots[path[0]]) {
    case (.root, .task): return (path, .task)
    case (.root, _): return (path, .global)
    case (.cycle, _): return (circle(through: block) ?? path, .cycle)
    case (.unknown, _): return (path, .unknown)
    }
  }

  private func circle(through block: Int) -> [Int]? {
    // What is reached from anywhere else does not lead back. There may be a million such blocks.
    shortestCircle(through: block) { holder in
      references(of: holder).map { Int(targets[$0]) }.filter { blocks.origins[$0] == .cycle }
    }
  }

  package func start(_ block: Int) -> HeapNode { thing(block) }

  package func outside(of block: Int, _ kind: RetainChain.Root.Kind) -> HeapNode? {
    guard kind == .global, case .global(let name)? = roots[block] else { return nil }
    return HeapNode(kind: .global, name: name)
  }

  package func link(from outside: HeapNode, to block: Int) -> RetainChain.Link {
    outside.link(to: start(block))
  }

  package func link(from holder: Int, to target: Int) -> RetainChain.Link {
    // A table may hold each of a million others; `first(where:)` takes 50 times as long in debug.
    let (range, wanted) = (references(of: holder), UInt32(target))
    let place = targets.withUnsafeBufferPointer { targets in
      var place = range.lowerBound
      while place < range.upperBound && targets[place] != wanted { place += 1 }
      return place
    }
    guard place < range.upperBound else {
      return RetainChain.Link(kind: .memory, target: thing(target))
    }
    let label = labels[Int(labelIDs[place])]
    return RetainChain.Link(
      kind: label.kind, name: label.name, closure: label.closure,
      closureLocation: label.closureLocation, target: thing(target))
  }

  package func task(_ block: Int) -> HeapTask? {
    guard case .task(let place)? = roots[block] else { return nil }
    let task = tasks[place]
    return HeapTask(
      name: task.name, id: task.id, isFinished: false, isCancelled: false,
      isEnqueued: task.state == .enqueued, isRunning: task.state == .running)
  }

  // What the compiler takes apart in a loop, a dump does not tell.
  package func releaseDepth(of block: Int) -> Int? { nil }

  package func facts(of block: Int) -> ChainFacts {
    let thing = thing(block)
    let hasType = [.block(.instance), .block(.buffer), .block(.error)].contains(thing.kind)
    return ChainFacts(
      type: hasType ? thing.name : "", referencesFound: Int(blocks.found[block]),
      retainCount: blocks.counts[block] < 0 ? nil : Int(blocks.counts[block]),
      serial: blocks.serials[block])
  }

  package func isHeldBesidesCycle(anyOf circle: [Int]) -> Bool {
    // A dump may have thousands of circles, and this is asked of each.
    let holders = blocks.origins.withUnsafeBufferPointer { origins in
      var (holders, block) = ([Int](), 0)
      while block < origins.count {
        if case .unknown = origins[block] { holders.append(block) }
        block += 1
      }
      return holders
    }
    let circle = Set(circle)
    return holders.contains { holder in
      references(of: holder).contains { circle.contains(Int(targets[$0])) }
    }
  }

  /// Why a block is alive.
  package func retainChain(to block: Int) -> RetainChain {
    var chain = chain(to: block)
    if let group = tasksHolding(block) {
      chain.root.suspendedIn = group.suspendedIn
      chain.root.frames = group.frames
    }
    return chain
  }

  /// The tasks that the way to a block begins at one of; nil where it begins at something else.
  package func tasksHolding(_ block: Int) -> TaskGroup? {
    guard case .task(let place)? = roots[path(to: block)[0]] else { return nil }
    return groups[tasks[place].group]
  }

  /// Why a block is alive, in a reader's words.
  ///
  /// - Parameter chain: why it is, as ``retainChain(to:)`` has it.
  package func words(for block: Int, on chain: RetainChain) -> ChainInWords {
    let task = chain.root.kind == .task ? tasksHolding(block)?.sentence : nil
    return ChainInWords(chain.asWrittenForTest, for: .test(task: task, thread: nil))
  }
}

extension HeapDump.TaskGroup {
  /// The title, and what the tasks wait in.
  package var sentence: String { suspendedIn.map { "\(title), suspended in \($0)" } ?? title }
}
