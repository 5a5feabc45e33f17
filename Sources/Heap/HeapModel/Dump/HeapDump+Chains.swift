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
    shortestCircle(through: block) { references(of: $0).map { Int(targets[$0]) } }
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
    let place = references(of: holder).first { Int(targets[$0]) == target }
    guard let label = place.map({ labels[Int(labelIDs[$0])] }) else {
      return RetainChain.Link(kind: .memory, target: thing(target))
    }
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

  package func facts(of block: Int) -> ChainFacts {
    let thing = thing(block)
    let hasType = [.block(.instance), .block(.buffer), .block(.error)].contains(thing.kind)
    return ChainFacts(
      type: hasType ? thing.name : "", referencesFound: Int(blocks.found[block]),
      retainCount: blocks.counts[block] < 0 ? nil : Int(blocks.counts[block]),
      serial: blocks.serials[block])
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
  func tasksHolding(_ block: Int) -> TaskGroup? {
    guard case .task(let place)? = roots[path(to: block)[0]] else { return nil }
    return groups[tasks[place].group]
  }

  /// Why a block is alive, in a reader's words.
  ///
  /// - Parameter chain: why it is, as ``retainChain(to:)`` has it.
  package func words(for block: Int, on chain: RetainChain) -> ChainInWords {
    let task = chain.root.kind == .task ? tasksHolding(block)?.sentence : nil
    let written = chain.asWritten { $0.isThunk || $0.kind == .block(.taskSlab) }
    return ChainInWords(written, for: .test(task: task, thread: nil))
  }
}

extension HeapDump.TaskGroup {
  /// The title, and what the tasks wait in.
  package var sentence: String {
    suspendedIn.map { "\(title), suspended in \($0)" } ?? title
  }
}
