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
    await expectNoLeaks(within: Fixture.limit) {
      let foyer = watch(Foyer())
      let key = Foyer.Key(owner: ObjectIdentifier(foyer), name: "updates")
      // What is stored is the compiler's thunk, which has it.
      let effect = { foyer.signals += key.name.count }
      foyer.effects[key] = effect
    }
  }

  @Test(.noLeaks(within: Fixture.limit)) func unmanagedInEnumeration() async {
    let foyer = watch(Foyer())
    foyer.line = .borrowed(.passUnretained(foyer))
    foyer.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func leftInEnumeration() async {
    let foyer = watch(Foyer())
    leave(foyer, inUnusedBytesOf: &foyer.line, at: 8)
    foyer.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func leftInAny() async {
    let foyer = watch(Foyer())
    leave(foyer, inUnusedBytesOf: &foyer.attic, at: 16)
    foyer.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func unmanagedInBox() async {
    let foyer = watch(Foyer())
    foyer.attic.contents = ("a", "b", Unmanaged.passUnretained(foyer), [foyer].isEmpty ? "" : "c")
    foyer.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func leftInGenericClass() async {
    let foyer = watch(Foyer())
    let board = Board(Foyer.Line.short(2))
    leave(foyer, inUnusedBytesOf: &board.value, at: 8)
    foyer.board = board
    foyer.keepItself()
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
    await expectNoLeaks(within: Fixture.limit) {
      let foyer = watch(Foyer())
      foyer.broadcast.listen { foyer.signals = $0 }
    }
  }

  /// https://github.com/livekit/client-sdk-swift/pull/874
  @Test func asyncClosure() async {
    await expectNoLeaks(within: Fixture.limit) {
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
  struct Attic { var contents: Any = 2 }

  var effects: [Key: () -> Void] = [:]
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
  struct Slot<Value> { var value: Value? }

  private var listener = Slot<(Element) -> Void>()

  func listen(_ listener: @escaping (Element) -> Void) { self.listener.value = listener }
}

private final class Chain {
  let end: AnyObject
  init(_ end: AnyObject) { self.end = end }
}

/// A cycle beside references that hold nothing: these must not be blamed for it, although they are
/// the shorter way.
extension LeakingFixtures {
  @Test(.noLeaks(within: Fixture.limit)) func unownedInStructure() async {
    let house = watch(House())
    house.room = Room(of: house)
    house.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func unownedInArray() async {
    let house = watch(House())
    house.visitors = [("guest", Borrowed(value: house))]
    house.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func unownedInEnumeration() async {
    let house = watch(House())
    house.address = .at(Borrowed(value: house), number: 3)
    house.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func unownedGenericCapture() async {
    let house = watch(House())
    house.ring = house.bell(for: "guest")
    house.keepItself()
  }

  @Test(.noLeaks(within: Fixture.limit)) func genericCaptureHolds() async {
    let house = watch(House())
    house.ring = house.door(for: "guest")
  }
}

private struct Borrowed<Object: AnyObject> { unowned let value: Object }

private final class House {
  enum Address {
    case none
    case at(Borrowed<House>, number: Int)
  }

  var room: Room?
  var visitors: [(name: String, Borrowed<House>)] = []
  var address = Address.none
  var ring: (() -> Void)?
  private var chain: Chain?

  func keepItself() { chain = Chain(Chain(Chain(self))) }
  func bell<Name>(for name: Name) -> () -> Void { { [unowned self] in _ = (name, self) } }
  func door<Name>(for name: Name) -> () -> Void { { _ = (name, self) } }
}

private final class Room {
  private let house: Borrowed<House>
  init(of house: House) { self.house = Borrowed(value: house) }
}
