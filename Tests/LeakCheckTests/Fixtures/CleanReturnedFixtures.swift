import Foundation
import LeakCheck
import Testing

/// What a body returns without having made it: a closure of one expression returns its value.
extension CleanFixtures {
  @Test func returnsFoundationsValues() async {
    for _ in 0..<Self.rounds { await expectNoLeaks { Place() } }
  }

  @Test func returnsSharedInstance() async {
    _ = Registry.shared
    for _ in 0..<Self.rounds { await expectNoLeaks { Registry.shared.configured() } }
  }

  // As another test's task may, that runs meanwhile.
  @Test func returnsSharedInstanceInUse() async {
    await whileInUse(Archive.shared.box) {
      await expectNoLeaks(within: .seconds(1)) { Archive.shared.box }
    }
  }

  // With -O it stands in the program, and on no heap.
  @Test func returnsConstantInstance() async {
    _ = Constant.shared
    for _ in 0..<Self.rounds { await expectNoLeaks(within: .seconds(1)) { Constant.shared } }
  }

  @Test func returnsInstancesOfTheSystem() async {
    for _ in 0..<Self.rounds { await expectNoLeaks { Services() } }
  }

  // Longer than a thread's stack is deep.
  @Test func returnsLongList() async {
    for _ in 0..<Self.rounds / 10 + 1 { await expectNoLeaks { Queue(length: 20_000) } }
  }

  @Test func returnsKeyPath() async {
    for _ in 0..<Self.rounds { await expectNoLeaks { (\Clock.time, \Place.name) } }
  }
}

private struct Place {
  let name = "Reykjavík"
  let zone = TimeZone.current
  let calendar = Calendar.current
  let locale = Locale.current
  let page = URL(string: "https://example.org/a")
  let map = Data(count: 4096)
}

private indirect enum Queue {
  case empty
  case first(Int, Queue)

  init(length: Int) {
    self = .empty
    for number in 0..<length { self = .first(number, self) }
  }
}

private struct Services {
  let center = NotificationCenter.default
  let files = FileManager.default
  let process = ProcessInfo.processInfo
  let bundle = Bundle.main
}

extension Registry {
  fileprivate func configured() -> Registry { self }
}
