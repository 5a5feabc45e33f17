import Glibc
import MemlabHeapModel
import MemlabHeapReader
import MemlabHeapScan
import Synchronization
import Testing

extension HeapWitness {
  @Suite("What freed memory has left in new memory") struct StaleWordTests {
    // Of two words that mean one reference, that of the later block is the first to count as a leftover, if
    // nothing else tells.
    @Test(
      "is not mistaken for the context that a function is called with", arguments: [true, false])
    func context(staleFirst: Bool) throws {
      let function: @convention(c) () -> Void = {}
      let chain = try recorded {
        let table = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
        let used = (0..<2).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: 6) }
        let leaf = Unmanaged.passRetained(Leaf())
        defer {
          leaf.release()
          for block in used + [table] { block.deallocate() }
          globalNumber = 0
        }
        for block in used { block.update(repeating: 0, count: 6) }
        let address = UInt(bitPattern: leaf.toOpaque())
        let (old, new) = staleFirst ? (used[0], used[1]) : (used[1], used[0])
        (old[1], new[0], new[1]) = (address, unsafeBitCast(function, to: UInt.self), address)
        table.update(repeating: 0, count: 4)
        (table[0], table[1]) = (UInt(bitPattern: old), UInt(bitPattern: new))
        globalNumber = UInt(bitPattern: table)
        return try HeapSnapshot.take().retainChains(to: [name(Leaf.self)]).first
      }
      let last = try #require(chain?.links.last)
      #expect(chain?.retainCount == 1)
      #expect(last.kind == .memory && last.closure != nil, "\(last)")
    }

    // Where blocks lie is not the same in every run, and in which order they were made is.
    @Test("is taken to be in the block that was made later", arguments: [true, false])
    func later(isLaterFirst: Bool) throws {
      let chain = try recorded {
        let table = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
        // The allocator gives blocks again that were freed, between those that were not.
        let first = (0..<64).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: 20) }
        for place in stride(from: 0, to: 64, by: 2) { first[place].deallocate() }
        let old = stride(from: 1, to: 64, by: 2).map { first[$0] }
        let new = (0..<32).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: 20) }
        let leaf = Unmanaged.passRetained(Leaf())
        defer {
          leaf.release()
          for block in old + new + [table] { block.deallocate() }
          globalNumber = 0
        }
        for block in old + new { block.update(repeating: 0, count: 20) }
        let later = try #require(isLaterFirst ? new.min() : new.max())
        let older = try #require(old.first { (later < $0) == isLaterFirst })
        older[1] = UInt(bitPattern: leaf.toOpaque())
        later[3] = older[1]
        table.update(repeating: 0, count: 4)
        (table[0], table[1]) = (UInt(bitPattern: older), UInt(bitPattern: later))
        globalNumber = UInt(bitPattern: table)
        return try HeapSnapshot.take().retainChains(to: [name(Leaf.self)]).first
      }
      #expect(chain?.links.last?.offset == 8, "\(String(describing: chain))")
    }

    private final class Borrower {
      let strong = Leaf()
      let raw: UnsafeMutableRawPointer
      init() { raw = Unmanaged.passUnretained(strong).toOpaque() }
    }

    // Blocks that were freed are used up first: what is made after another lies behind it.
    @Test("is not what lies behind an object with a raw pointer to what it has") func raw() throws {
      let chains = try recorded {
        let fillers = (0..<3000).map { malloc(24 + $0 % 3 * 12) }
        let table = UnsafeMutablePointer<UInt>.allocate(capacity: 128)
        var (leaves, borrowers): ([UInt], [Borrower]) = ([], [])
        for place in 0..<128 {
          if place < 64 {
            leaves.append(~UInt(bitPattern: Unmanaged.passRetained(Leaf()).toOpaque()))
            borrowers.append(Borrower())
          }
          let block = UnsafeMutablePointer<UInt>.allocate(capacity: 6)
          block.update(repeating: 0, count: 6)
          block[place < 64 ? 1 : 3] = ~leaves[place % 64]
          table[place] = UInt(bitPattern: block)
        }
        defer {
          for leaf in leaves { unsafeBitCast(~leaf, to: Unmanaged<Leaf>.self).release() }
          for block in fillers + (0..<128).map({ .init(bitPattern: table[$0]) }) { free(block) }
          table.deallocate()
          globalNumber = 0
        }
        globalNumber = UInt(bitPattern: table)
        return try withExtendedLifetime(borrowers) {
          try HeapSnapshot.take().retainChains(to: [name(Leaf.self)])
        }
      }
      let offsets = chains.compactMap(\.links.last).filter { $0.kind == .memory }.map(\.offset)
      #expect(offsets == Array(repeating: 8, count: 64))
    }

    // The runtime keeps the names of types in a table, which grows.
    @Test("is no reference in a table of the runtime's") func table() throws {
      func name<Nested>(_ type: Nested.Type, deep levels: Int) {
        _ = String(reflecting: type)
        if levels > 0 { name([Nested].self, deep: levels - 1) }
      }
      let survey = try recorded {
        name(Leaf.self, deep: 300)
        return try Survey.make()
      }
      #expect(
        (0..<survey.blocks.count).contains {
          survey.kinds[$0] == .memory && survey.blocks.size($0) >= 4_096
            && survey.leftovers.contains($0)
        })
      // The list of blocks knows the end of each, which may be far from where it begins.
      let blocks = survey.blocks
      let filled = (0..<blocks.count).filter { blocks.size($0) > 0 }
      #expect(filled.map { blocks.index(containing: blocks.region($0).end - 1) } == filled)
    }

    // Nothing was found to hold the memory that the word is in.
    @Test("does not stand for who holds objects that hold each other", arguments: [true, false])
    func ring(isRetained: Bool) throws {
      let chain = try recorded {
        let (ring, word) = (Knot.ring(), UnsafeMutablePointer<UInt>.allocate(capacity: 2))
        (word[0], word[1]) = (UInt(bitPattern: ring.toOpaque()), 0)
        if isRetained { _ = ring.retain() }
        defer {
          if isRetained { ring.release() }
          ring.takeUnretainedValue().next = nil
          word.deallocate()
        }
        return try HeapSnapshot.take().retainChains(to: [name(Knot.self)]).first
      }
      #expect(chain?.root.kind == .cycle)
      #expect(chain?.root.isHeldElsewhere == isRetained)
    }

    // The compiler says nothing of what is in a `Mutex`.
    @Test("is no reference where the counts leave no room for it", arguments: [true, false])
    func number(isOwn: Bool) throws {
      let snapshot = try snapshotOfHolder { holder in
        let guarded = Guarded()
        let other = isOwn ? guarded : Guarded()
        guarded.number.withLock {
          $0 = UInt(bitPattern: Unmanaged.passUnretained(other).toOpaque())
        }
        holder.list = [Leaf()]
        holder.any = isOwn ? guarded : [guarded, other]
      }
      #expect(snapshot.cycles(of: Guarded.self).isEmpty)
      for chain in snapshot.retainChains(to: [name(Guarded.self)]) {
        #expect((chain.referencesFound, chain.retainCount) == (1, 1))
        #expect(chain.links.last?.name != "number")
      }
    }

    @Test("comes second where nothing is known to hold either holder") func unheld() throws {
      let snapshot = try recorded {
        let memory = UnsafeMutablePointer<Leaf>.allocate(capacity: 4)
        defer { memory.deinitialize(count: 4).deallocate() }
        let (holder, inner, leaf) = (Holder(), Holder(), Leaf())
        (holder.any, inner.direct) = (inner, leaf)
        memory.initialize(repeating: leaf, count: 4)
        return try withExtendedLifetime(holder) { try HeapSnapshot.take() }
      }
      let root = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first).root
      #expect((root.kind, root.node.name) == (.unknown, name(Holder.self)))
    }

    @Test("is not what a task's job was once enqueued with") func call() throws {
      let run = UInt(bitPattern: try #require(dlsym(nil, "swift_job_run")))
      let snapshot = try recorded {
        let (leaf, call) = (Leaf(), UnsafeMutablePointer<UInt>.allocate(capacity: 8))
        defer { call.deallocate() }
        call.initialize(repeating: run, count: 8)
        call[5] = UInt(bitPattern: Unmanaged.passRetained(leaf).toOpaque())
        defer { Unmanaged.passUnretained(leaf).release() }
        return try HeapSnapshot.take()
      }
      let root = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first).root
      #expect(root.node.name == name(Leaf.self))
    }

    // A flag, and what was on the stack when it was stored.
    @Test("is no reference in the padding of a global variable") func padding() throws {
      let runner = Runner()
      defer {
        runner.continuation?.resume()
        globalNumber = 0
      }
      let snapshot = try recorded {
        Task(name: "holder") {
          let leaf = Leaf()
          globalNumber = UInt(bitPattern: Unmanaged.passUnretained(leaf).toOpaque()) | 2
          await runner.run()
          withExtendedLifetime(leaf) {}
        }
        return try runner.snapshot(ofTask: "holder")
      }
      let chain = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(chain.root.kind == .task)
      #expect((chain.referencesFound, chain.retainCount) == (1, 1))
    }

    // The bits that tell the cases apart are in the same word.
    @Test("is not what a case of a global enumeration refers to") func enumeration() throws {
      defer { globalChoice = .none }
      for choice in [Choice.first(Leaf()), .second(Leaf()), .last(Leaf())] {
        globalChoice = .none
        let snapshot = try snapshot { globalChoice = choice.renewed }
        #expect(snapshot.retainChains(to: [name(Leaf.self)]).first?.root.kind == .global)
      }
    }

    @Test("is no reference in the unused room of an existential, also where the counts leave room")
    func existential() throws {
      var extra: Unmanaged<Guarded>?
      defer { extra?.release() }
      let snapshot = try snapshotOfHolder { holder in
        let guarded = Guarded()
        extra = .passRetained(guarded)
        guarded.fill(with: Leaf(), unused: UInt(bitPattern: extra?.toOpaque()))
        holder.any = guarded
      }
      let leaf = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect(leaf.links.last?.name == "content")
      let guarded = try #require(snapshot.retainChains(to: [name(Guarded.self)]).first)
      #expect((guarded.referencesFound, guarded.retainCount) == (1, 2))
    }

    // SwiftNIO sets the delegate of a stream that has ended to nil: a structure of closures.
    @Test("is no reference in an optional that is nil, nor in an enumeration's empty case")
    func emptied() throws {
      let snapshot = try snapshotOfHolder { holder in
        let (leaf, maybe) = (Leaf(), Maybe())
        maybe.leave(UInt(bitPattern: Unmanaged.passUnretained(leaf).toOpaque()))
        holder.list = [leaf]
        holder.any = maybe
      }
      let leaf = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect((leaf.referencesFound, leaf.retainCount) == (1, 1))
      #expect(leaf.links.last?.kind == .element)
    }

    @Test("is told from the same word in an optional and in an enumeration that are not empty")
    func filled() throws {
      let snapshot = try snapshotOfHolder { holder in
        let maybe = Maybe()
        maybe.fill(with: Leaf())
        holder.any = maybe
      }
      let leaf = try #require(snapshot.retainChains(to: [name(Leaf.self)]).first)
      #expect((leaf.referencesFound, leaf.retainCount) == (4, 4))
    }
  }
}

/// Holds itself.
final class Knot {
  var next: Knot?

  static func ring() -> Unmanaged<Knot> {
    let knot = Knot()
    knot.next = knot
    return Unmanaged.passUnretained(knot)
  }
}

/// Has values of two words, of which the first tells whether there is any.
private final class Maybe {
  struct Pair {
    var first: Leaf
    var second: Leaf
  }

  struct Callback { var body: (() -> Void)? }

  enum State {
    case running(Leaf, Leaf)
    case stopped, ended
  }

  private var pair: Pair?
  private var state = State.ended
  private var done = Callback()

  func fill(with leaf: Leaf) {
    (pair, state) = (Pair(first: leaf, second: leaf), .running(leaf, leaf))
  }

  /// Puts a word into the second words.
  func leave(_ word: UInt) {
    withUnsafeMutableBytes(of: &pair) { $0.storeBytes(of: word, toByteOffset: 8, as: UInt.self) }
    withUnsafeMutableBytes(of: &state) { $0.storeBytes(of: word, toByteOffset: 8, as: UInt.self) }
    withUnsafeMutableBytes(of: &done) { $0.storeBytes(of: word, toByteOffset: 8, as: UInt.self) }
  }
}

/// One object, in different ways.
private enum Choice {
  case none
  case first(Leaf)
  case second(Leaf)
  case third(Leaf)
  case fourth(Leaf)
  case last(Leaf)

  /// The same case with an object of its own.
  var renewed: Choice {
    switch self {
    case .none: .none
    case .first: .first(Leaf())
    case .second: .second(Leaf())
    case .third: .third(Leaf())
    case .fourth: .fourth(Leaf())
    case .last: .last(Leaf())
    }
  }
}

nonisolated(unsafe) private var globalChoice = Choice.none

/// Has parts of which the compiler says nothing.
private final class Guarded: Sendable {
  let number = Mutex<UInt>(0)
  let content = Mutex<(any Sendable)?>(nil)

  /// Puts an object into the existential, and a word into each of the two behind it.
  func fill(with leaf: Leaf, unused: UInt) {
    content.withLock { content in
      content = leaf
      withUnsafeMutableBytes(of: &content) {
        $0.storeBytes(of: unused, toByteOffset: 8, as: UInt.self)
        $0.storeBytes(of: unused, toByteOffset: 16, as: UInt.self)
      }
    }
  }
}
