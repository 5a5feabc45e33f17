package import MemlabKit

/// What the judge needs of a button.
package protocol ButtonUnderStudy: AnyObject {
  /// Plays a finger.
  func tap()
}

/// What the judge needs of a menu.
package protocol MenuUnderStudy: AnyObject, SendableMetatype {
  /// The kind of its buttons.
  associatedtype Key: ButtonUnderStudy
  /// The buttons, in order.
  var buttons: [Key] { get }
  /// The places of the buttons that were tapped, in order.
  var taps: [Int] { get }
  /// A menu with so many buttons.
  init(buttons count: Int)
}

/// Exercise 11: a menu and its buttons.
package enum MenuJudge<Menu: MenuUnderStudy>: Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    Ending(
      "drop", ["Menu": 2, "Button": 7], figures: ["buttonsThere": 7, "tapsRight": 8], run: drop)
    Ending("kept", ["Menu": 1, "Button": 3], figures: ["menusLeft": 0, "tapsRight": 1], run: keep)
  }

  @Sendable private static func drop(_ lab: Lab) throws {
    var menus: [Menu] = []
    // The same order twice, which is another one when it is read backwards.
    let order = Secret.order(of: 3)
    let places = order + order + [Secret.number(upTo: 3) - 1]
    let other = Secret.number(upTo: 4) - 1
    try lab.step("menus of three and of four buttons are made") {
      menus = [3, 4].map { Menu(buttons: $0) }
    }
    let counts = menus.map(\.buttons.count)
    lab.ledger.setMetric("buttonsThere", counts.reduce(0, +))
    func tap(_ place: Int, of menu: Int) {
      if place < counts[menu] { menus[menu].buttons[place].tap() }
    }
    var taps: [Int] = []
    try lab.step("seven taps on the first, and one on the other") {
      for place in places.dropLast() { tap(place, of: 0) }
      taps = menus[0].taps
      // A menu must go on noting taps after it was asked for them.
      for place in places.suffix(1) { tap(place, of: 0) }
      tap(other, of: 1)
    }
    let isSteady = taps == Array(menus[0].taps.prefix(6))
    lab.ledger.setMetric(
      "tapsRight",
      (isSteady ? menus[0].taps.right(of: places) : 0) + menus[1].taps.right(of: [other]))
    try lab.release("the menus are dropped") { menus = [] }
    withExtendedLifetime(menus) {}
  }

  @Sendable private static func keep(_ lab: Lab) throws {
    var (menu, button): (Menu?, Menu.Key?)
    try lab.step("a menu of three buttons is made") { menu = Menu(buttons: 3) }
    try lab.step("its last button is kept and tapped") {
      button = menu?.buttons.last
      button?.tap()
    }
    lab.ledger.setMetric("tapsRight", (menu?.taps ?? []).right(of: [2]))
    try lab.release("the menu is dropped") { menu = nil }
    lab.ledger.setMetric("menusLeft", lab.ledger.totals.object("Menu").alive)
    try lab.step("the button is tapped again") { button?.tap() }
    try lab.release("the button is dropped") { button = nil }
    withExtendedLifetime((menu, button)) {}
  }
}
