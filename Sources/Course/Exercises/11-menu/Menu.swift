// A menu holds its buttons, and each button has a closure that tells the menu of a tap. A menu that
// is dropped stays alive, and its buttons with it. Fix it so that both are deinitialised. A button
// that somebody keeps can still be tapped then: nothing happens.

import MemlabKit

/// The menu.
final class Menu: MenuUnderStudy {
  /// The buttons, in order.
  private(set) var buttons: [Button] = []
  /// The places of the buttons that were tapped, in order.
  private(set) var taps: [Int] = []
  private let probe = Probe(Menu.self)

  /// A menu with so many buttons.
  init(buttons count: Int) {
    for place in 0..<count {
      let button = Button()
      button.onTap = { self.taps.append(place) }
      buttons.append(button)
    }
  }
}

/// A button.
final class Button: ButtonUnderStudy {
  /// What a tap does.
  var onTap: (() -> Void)?
  private let probe = Probe(Button.self)

  /// Plays a finger.
  func tap() { onTap?() }
}
