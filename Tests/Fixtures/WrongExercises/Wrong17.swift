import Exercises
import MemlabKit

/// Wrong solutions of exercise 17.
enum Wrong17: String, Mistakes {
  case none, asShipped, onlyWeak, onlyStops, unowned, stopsAtOnce, stopsAfterFirst, noObserver,
    wrongToken
  case stopsAll, keepsAll, exits, traps, noProbe, methodReference, inverts, swallows, dropsProbe
  case firstComesFirst

  nonisolated(unsafe) static var now = Wrong17.none
  nonisolated(unsafe) static var everything: [Lamp] = []
  nonisolated(unsafe) static var tokens: [Int] = []

  static let all = solutions(
    of: .lamp(Lamp.self),
    [
      .asShipped: "What does the board hold through the closure?",
      .onlyWeak: "A lamp must take its closure off the board when it goes.",
      .onlyStops: "What does the board hold through the closure?",
      .unowned: "the reference is weak",
      .stopsAtOnce: "A lamp must note every turn as long as it is there.",
      .stopsAfterFirst: "A lamp must note every turn",
      .noObserver: "A lamp must note every turn",
      .wrongToken: "A lamp must take its closure off the board when it goes.",
      .stopsAll: "The end of one lamp must not take another off the board.",
      .keepsAll: "held by",
      .exits: "Your code ended the process, with code 0",
      .traps: "Swift says: no lamp",
      .noProbe: "No Lamp was counted",
      .methodReference: "What does the board hold through the closure?",
      .inverts: "A lamp must note every turn",
      .swallows: "A lamp must note every turn",
      .firstComesFirst: "The end of one lamp must not take another off the board.",
      .dropsProbe: "The probes do not tell what the heap shows",
    ]
  ) { now = $0 }

  final class Lamp: LampUnderStudy {
    private(set) var states: [Bool] = []
    private let board: Switchboard
    private var token = 0
    private let probe: Probe?

    init(on board: Switchboard) {
      self.board = board
      probe = now == .noProbe || now == .dropsProbe ? nil : Probe(Lamp.self)
      if now == .dropsProbe { drop(Probe(Lamp.self)) }
      if now == .keepsAll { everything.append(self) }
      if now == .noObserver { return }
      token = board.observe(observer)
      tokens.append(token)
      if now == .stopsAtOnce { board.stopObserving(token) }
    }

    private var observer: (Bool) -> Void {
      switch now {
      case .asShipped, .onlyStops, .dropsProbe: { self.note($0) }
      case .unowned: { [unowned self] in self.note($0) }
      case .methodReference: note
      case .traps:
        { [weak self] isOn in
          guard let self else { fatalError("no lamp") }
          self.note(isOn)
        }
      default: { [weak self] in self?.note($0) }
      }
    }

    private func note(_ isOn: Bool) {
      switch now {
      case .exits: Sabotage.leave()
      case .swallows where states.count == 3: return
      case .stopsAfterFirst: board.stopObserving(token)
      default: break
      }
      states.append(now == .inverts ? !isOn : isOn)
    }

    private func drop(_ probe: consuming Probe) {}

    deinit {
      switch now {
      case .onlyWeak, .unowned, .traps: break
      case .firstComesFirst: board.stopObserving(tokens.removeFirst())
      case .wrongToken: board.stopObserving(token + 100)
      case .stopsAll: for token in 0...10 { board.stopObserving(token) }
      default: board.stopObserving(token)
      }
    }
  }
}
