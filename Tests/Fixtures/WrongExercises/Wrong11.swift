import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 11.
enum Wrong11: String, Mistakes {
  case none, asShipped, unowned, noClosure, weakButtons, tapsOnce, clearsOnTap, wrongPlace
  case noButtons, keepsAll, exits, noProbe, traps, clearsInDeinit, dropsProbe, inTask, counts
  case tapsTheLast, clearsWhenAsked, alwaysThree, unsafelyUnowned, lazyHandler, backReference
  case nestedStrong, capturesButtons, makesNewButtons, sortsTaps, methodReference, logsTaps
  case setsFigure, sharesTaps, unownedCleared

  nonisolated(unsafe) static var everything: [Menu] = []
  nonisolated(unsafe) static weak var last: Menu?

  static let all = solutions(
    of: MenuJudge<Menu>.exercise,
    [
      "Which closure uses self?": [.asShipped, .lazyHandler, .nestedStrong, .methodReference],
      "the reference is weak": [.unowned],
      "Every tap must reach the menu as long as it lives.": [
        .noClosure, .tapsOnce, .clearsOnTap, .wrongPlace, .inTask, .tapsTheLast, .clearsWhenAsked,
        .sortsTaps,
      ],
      "The menu must have its buttons.": [.weakButtons, .noButtons, .alwaysThree],
      "No Button was counted": [.noProbe],
      "Swift says: no menu": [.traps],
      "Menu is still alive at the end": [.clearsInDeinit],
      "tapsRight should be 8": [.counts],
      "still alive at the end, held by": [.backReference, .capturesButtons],
      "Button were created, and 7 should be": [.makesNewButtons],
      "although no object with a probe is left": [.logsTaps],
      "Only the judge sets its figures": [.setsFigure],
    ], right: [.sharesTaps, .unownedCleared])

  private struct WeakButton { weak var value: Button? }

  nonisolated(unsafe) static var log: [Box<Int>] = []

  final class Menu: MenuUnderStudy {
    private var strong: [Button] = []
    private var weakly: [WeakButton] = []
    private var noted: [Int] = []
    var taps: [Int] {
      get {
        if now == .sharesTaps { return shared.value }
        if now == .sortsTaps { return noted.sorted() }
        if now == .clearsWhenAsked { for button in strong { button.onTap = nil } }
        return noted
      }
      set { noted = newValue }
    }
    private let probe = Probe(Menu.self)

    private let shared = Box<[Int]>([])
    private var later: (() -> Void)?
    private lazy var handler: (Int) -> Void = { self.taps.append($0) }

    var buttons: [Button] {
      if now == .makesNewButtons {
        return strong.indices.map { place in
          let button = Button()
          button.onTap = { [weak self] in self?.taps.append(place) }
          return button
        }
      }
      return now == .weakButtons ? weakly.compactMap(\.value) : strong
    }

    init(buttons count: Int) {
      if now == .keepsAll { everything.append(self) }
      last = self
      for place in 0..<(now == .noButtons ? 0 : now == .alwaysThree ? 3 : count) {
        let button = Button()
        connect(button, place)
        weakly.append(WeakButton(value: button))
        if now != .weakButtons { strong.append(button) }
      }
    }

    private func connect(_ button: Button, _ place: Int) {
      switch now {
      case .unsafelyUnowned:
        let menu = Unsafely(self)
        button.onTap = { menu.object?.taps.append(place) }
      case .lazyHandler: button.onTap = { [weak self] in self?.handler(place) }
      case .backReference:
        button.menu = self
        button.onTap = { [weak button] in button?.menu?.taps.append(place) }
      case .nestedStrong:
        button.onTap = { [weak self] in
          guard let self else { return }
          self.later = { self.taps.append(place) }
          self.later?()
        }
      case .capturesButtons:
        let all = strong + [button]
        button.onTap = { [weak self] in if all.count > 0 { self?.taps.append(place) } }
      case .methodReference: button.onTap = tapper(place)
      case .logsTaps:
        button.onTap = { [weak self] in
          log.append(Box(place))
          self?.taps.append(place)
        }
      case .sharesTaps: button.onTap = { [shared] in shared.value.append(place) }
      case .asShipped, .clearsInDeinit, .dropsProbe: button.onTap = { self.taps.append(place) }
      case .unowned, .unownedCleared: button.onTap = { [unowned self] in self.taps.append(place) }
      case .noClosure: break
      case .tapsTheLast: button.onTap = { last?.taps.append(place) }
      case .clearsWhenAsked: button.onTap = { self.noted.append(place) }
      case .clearsOnTap:
        button.onTap = { [weak button] in
          self.taps.append(place)
          button?.onTap = nil
        }
      case .tapsOnce:
        button.onTap = { [weak self] in if self?.taps.isEmpty == true { self?.taps.append(place) } }
      case .wrongPlace: button.onTap = { [weak self] in self?.taps.append(count(self)) }
      case .counts, .setsFigure: button.onTap = { [weak self] in self?.taps = [place] }
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

    private func tapper(_ place: Int) -> () -> Void { { self.taps.append(place) } }

    deinit {
      if now == .setsFigure { Ledger.current?.setMetric("tapsRight", strong.count == 3 ? 1 : 8) }
      if now == .clearsInDeinit || now == .unownedCleared {
        for button in strong { button.onTap = nil }
      }
    }
  }

  private static func count(_ menu: Menu?) -> Int { menu?.taps.count ?? 0 }

  final class Button: ButtonUnderStudy {
    var onTap: (() -> Void)?
    var menu: Menu?
    private let probe = makeProbe(of: Button.self)

    func tap() { onTap?() }
  }
}
