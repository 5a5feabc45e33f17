import LeakCheck
import Testing

/// A cycle beside references that hold nothing: these must not be blamed for it, although they are
/// the shorter way.
extension LeakingFixtures {
  @Test func unownedInStructure() async {
    await expectNoLeaks {
      let house = watch(House())
      house.room = Room(of: house)
      house.keep(itselfBy: Chain())
    }
  }

  @Test func unownedInArray() async {
    await expectNoLeaks {
      let house = watch(House())
      house.visitors = [("guest", Borrowed(value: house))]
      house.keep(itselfBy: Chain())
    }
  }

  @Test func unownedInEnumeration() async {
    await expectNoLeaks {
      let house = watch(House())
      house.address = .at(Borrowed(value: house), number: 3)
      house.keep(itselfBy: Chain())
    }
  }

  @Test func unownedGenericCapture() async {
    await expectNoLeaks {
      let house = watch(House())
      house.ring = house.bell(for: "guest")
      house.keep(itselfBy: Chain())
    }
  }

  @Test func genericCaptureHolds() async {
    await expectNoLeaks {
      let house = watch(House())
      house.ring = house.door(for: "guest")
    }
  }
}

private struct Borrowed<Object: AnyObject> {
  unowned let value: Object
}

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

  func keep(itselfBy chain: Chain) {
    chain.next = Chain()
    chain.next?.next = Chain()
    chain.next?.next?.end = self
    self.chain = chain
  }

  func bell<Name>(for name: Name) -> () -> Void { { [unowned self] in _ = (name, self) } }
  func door<Name>(for name: Name) -> () -> Void { { _ = (name, self) } }
}

private final class Room {
  private let house: Borrowed<House>
  init(of house: House) { self.house = Borrowed(value: house) }
}

private final class Chain {
  var next: Chain?
  var end: House?
}
