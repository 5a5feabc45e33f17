import MemlabExercises
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
      button.onTap = { [weak self] in self?.taps.append(place) }
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
