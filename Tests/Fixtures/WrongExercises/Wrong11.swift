import Exercises
import MemlabKit

/// Wrong solutions of exercise 11.
enum Wrong11: String, Mistakes {
  case none, asShipped, unowned, noClosure, weakButtons, tapsOnce, clearsOnTap, wrongPlace,
    noButtons
  case keepsAll, exits, noProbe, traps, clearsInDeinit, dropsProbe, inTask, counts
  case tapsTheLast, clearsWhenAsked, alwaysThree

  nonisolated(unsafe) static var now = Wrong11.none
  nonisolated(unsafe) static var everything: [Menu] = []
  nonisolated(unsafe) static weak var last: Menu?

  static let all = solutions(
    of: .menu(Menu.self),
    [
      .asShipped: "Which closure uses self?",
      .unowned: "the reference is weak",
      .noClosure: "Every tap must reach the menu as long as it lives.",
      .weakButtons: "The menu must have its buttons.",
      .tapsOnce: "Every tap must reach the menu as long as it lives.",
      .clearsOnTap: "Every tap must reach the menu as long as it lives.",
      .wrongPlace: "Every tap must reach the menu as long as it lives.",
      .noButtons: "The menu must have its buttons.",
      .keepsAll: "held by",
      .exits: "Your code ended the process, with code 0",
      .noProbe: "No Button was counted",
      .traps: "Swift says: no menu",
      .clearsInDeinit: "Menu is still alive at the end",
      .dropsProbe: "The probes do not tell what the heap shows",
      .inTask: "Every tap must reach the menu as long as it lives.",
      .tapsTheLast: "Every tap must reach the menu as long as it lives.",
      .clearsWhenAsked: "Every tap must reach the menu as long as it lives.",
      .alwaysThree: "The menu must have its buttons.",
      .counts: "tapsRight should be 8",
    ]
  ) { now = $0 }

  private struct WeakButton { weak var value: Button? }

  final class Menu: MenuUnderStudy {
    private var strong: [Button] = []
    private var weakly: [WeakButton] = []
    private var noted: [Int] = []
    var taps: [Int] {
      get {
        if now == .clearsWhenAsked { for button in strong { button.onTap = nil } }
        return noted
      }
      set { noted = newValue }
    }
    private let probe = Probe(Menu.self)

    var buttons: [Button] { now == .weakButtons ? weakly.compactMap(\.value) : strong }

    init(buttons count: Int) {
      if now == .keepsAll { everything.append(self) }
      last = self
      let count = now == .noButtons ? 0 : now == .alwaysThree ? 3 : count
      for place in 0..<count {
        let button = Button()
        connect(button, place)
        weakly.append(WeakButton(value: button))
        if now != .weakButtons { strong.append(button) }
      }
    }

    private func connect(_ button: Button, _ place: Int) {
      switch now {
      case .asShipped, .clearsInDeinit, .dropsProbe: button.onTap = { self.taps.append(place) }
      case .unowned: button.onTap = { [unowned self] in self.taps.append(place) }
      case .noClosure: break
      case .tapsTheLast: button.onTap = { last?.taps.append(place) }
      case .clearsWhenAsked: button.onTap = { self.noted.append(place) }
      case .clearsOnTap:
        button.onTap = { [weak button] in
          self.taps.append(place)
          button?.onTap = nil
        }
      case .tapsOnce:
        button.onTap = { [weak self] in
          if self?.taps.isEmpty == true { self?.taps.append(place) }
        }
      case .wrongPlace: button.onTap = { [weak self] in self?.taps.append(count(self)) }
      case .counts: button.onTap = { [weak self] in self?.taps = [place] }
      case .inTask: button.onTap = { [weak self] in Task { self?.taps.insert(place, at: 0) } }
      case .exits: button.onTap = { Sabotage.leave() }
      case .traps:
        button.onTap = { [weak self] in
          guard let self else { fatalError("no menu") }
          self.taps.append(place)
        }
      default: button.onTap = { [weak self] in self?.taps.append(place) }
      }
    }

    deinit {
      if now == .clearsInDeinit { for button in strong { button.onTap = nil } }
    }
  }

  private static func count(_ menu: Menu?) -> Int { menu?.taps.count ?? 0 }

  final class Button: ButtonUnderStudy {
    var onTap: (() -> Void)?
    private let probe: Probe?

    init() {
      probe = now == .noProbe || now == .dropsProbe ? nil : Probe(Button.self)
      if now == .dropsProbe { drop(Probe(Button.self)) }
    }

    func tap() { onTap?() }
    private func drop(_ probe: consuming Probe) {}
  }
}
