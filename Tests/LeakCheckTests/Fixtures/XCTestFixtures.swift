import LeakCheck
import LeakCheckXCTest
import XCTest

final class XCTestFixtures: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(Fixture.isOn)
  }

  func testLeaks() async {
    await assertNoLeaks { watch(Forwarder()).start() }
  }

  func testDeallocated() async {
    await assertDeallocated { () -> Clock in
      let clock = Clock()
      clock.partner = clock
      return clock
    }
  }

  func testDeclared() async {
    await assertNoLeaks(allowing: [
      .task("forwarder", "it lives as long as the app"),
      .object(of: Forwarder.self, "its task holds it"),
    ]) {
      watch(Forwarder()).start()
    }
  }

  func testClean() async {
    await assertNoLeaks {
      let forwarder = watch(Forwarder())
      forwarder.start()
      forwarder.stop()
    }
  }
}
