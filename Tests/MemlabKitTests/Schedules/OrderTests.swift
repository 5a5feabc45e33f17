import MemlabKit
import Testing

@Suite("An order of jobs") struct OrderTests {
  @Test(
    "is told in a form that can be read back",
    arguments: [
      ([], "arrival"), ([0, 0], "arrival"), ([1], "1=2"), ([0, 0, 2], "3=3"),
      ([1, 0, 0, 4, 0], "1=2,4=5"),
    ])
  func text(choices: [Int], text: String) throws {
    let order = Order(choices)
    #expect(order.description == text)
    #expect(try #require(Order(text)) == order)
  }

  @Test(
    "is not what makes no sense",
    arguments: [
      "", "1", "=", "0=1", "1=0", "2=2,1=2", "1=2,1=2", "1=2,", "1=2;2=2", "1000001=1", "-1=2",
      "1=99999999999999999999",
    ])
  func nonsense(text: String) {
    #expect(Order(text) == nil)
  }

  @Test(
    "is one of several plans",
    arguments: [
      ("all", SchedulePlan.all(orders: 2_000)), ("all:7", .all(orders: 7)), ("12", .random(12)),
      ("seed:0", .seed(0)), ("replay:2=3", .replay(Order([0, 2]))), ("all:0", nil), ("0", nil),
      ("1000001", nil), ("seed:", nil), ("seed:-1", nil), ("replay:", nil), ("some", nil),
    ])
  func plans(text: String, plan: SchedulePlan?) {
    #expect(SchedulePlan(text) == plan)
  }
}
