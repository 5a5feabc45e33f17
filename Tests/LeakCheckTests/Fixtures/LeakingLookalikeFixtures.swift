import LeakCheck
import Testing

/// A cycle beside words that have the object's address and hold nothing.
extension LeakingFixtures {
  // A task that is older than the check uses what keeps the object, and does not keep it.
  @Test func usedAndHeldByGlobal() async {
    let box = Archive.shared.box
    await whileInUse(box) {
      await expectNoLeaks(within: .milliseconds(300)) { box.content = watch(Clock()) }
    }
  }

  /// https://github.com/pointfreeco/swift-composable-architecture/issues/993
  @Test func identifierInKey() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      let key = Foyer.Key(owner: ObjectIdentifier(foyer), name: "updates")
      foyer.effects[key] = [{ foyer.signals += 1 }]
    }
  }

  @Test func unmanagedInEnumeration() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      foyer.line = .borrowed(.passUnretained(foyer))
      foyer.keepItself()
    }
  }

  @Test func leftInEnumeration() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      leave(foyer, inUnusedBytesOf: &foyer.line, at: 8)
      foyer.keepItself()
    }
  }

  @Test func leftInAny() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      leave(foyer, inUnusedBytesOf: &foyer.attic, at: 16)
      foyer.keepItself()
    }
  }

  @Test func unmanagedInBox() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      foyer.attic.contents = ("a", "b", Unmanaged.passUnretained(foyer), [foyer].isEmpty ? "" : "c")
      foyer.keepItself()
    }
  }

  @Test func leftInGenericClass() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      let board = Board(Foyer.Line.short(2))
      leave(foyer, inUnusedBytesOf: &board.value, at: 8)
      foyer.board = board
      foyer.keepItself()
    }
  }

  // What a smaller value has left of a larger one, which the compiler may clear away, or not.
  private func leave<Value>(
    _ object: AnyObject, inUnusedBytesOf value: inout Value, at offset: Int
  ) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    withUnsafeMutableBytes(of: &value) { bytes in
      bytes.storeBytes(of: address, toByteOffset: offset, as: UInt.self)
    }
  }
}

/// Closures that the compiler stores another way than the source has them.
extension LeakingFixtures {
  /// https://github.com/ReactiveX/RxSwift/issues/2249
  @Test func closureInGenericProperty() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      foyer.broadcast.listen { foyer.signals = $0 }
    }
  }

  /// https://github.com/livekit/client-sdk-swift/pull/874
  @Test func asyncClosure() async {
    await expectNoLeaks {
      let foyer = watch(Foyer())
      foyer.refresh = { await foyer.count() }
    }
  }
}

private final class Foyer: @unchecked Sendable {
  struct Key: Hashable {
    let owner: ObjectIdentifier
    let name: String
  }

  enum Line {
    case short(Int)
    case long(Int, Foyer)
    case borrowed(Unmanaged<Foyer>)
  }

  // As a structure it is handed on as it is, and not opened.
  struct Attic {
    var contents: Any = 2
  }

  var effects: [Key: [() -> Void]] = [:]
  var line = Line.short(0)
  var attic = Attic()
  var board: Board<Line>?
  let broadcast = Broadcast<Int>()
  var refresh: (@Sendable () async -> Int)?
  var signals = 0
  private var chain: Chain?

  func keepItself() { chain = Chain(Chain(Chain(self))) }
  func count() async -> Int { signals }
}

private final class Board<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

private final class Broadcast<Element> {
  struct Slot<Value> {
    var value: Value?
  }

  private var listener = Slot<(Element) -> Void>()

  func listen(_ listener: @escaping (Element) -> Void) { self.listener.value = listener }
}

private final class Chain {
  let end: AnyObject
  init(_ end: AnyObject) { self.end = end }
}
