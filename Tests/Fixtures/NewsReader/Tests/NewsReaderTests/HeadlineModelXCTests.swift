import LeakCheck
import LeakCheckXCTest
import NewsReader
import XCTest

final class HeadlineModelXCTests: XCTestCase {
  func testPoliteModelIsDeallocated() async {
    await assertDeallocated { @MainActor in
      let model = PoliteHeadlineModel(feed: Feed())
      model.start()
      return model
    }
  }
}
