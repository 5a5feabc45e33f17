import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 17.
enum Wrong17: String, Mistakes {
  case none, asShipped, onlyWeak, onlyStops, unowned, stopsAtOnce, stopsAfterFirst, noObserver
  case wrongToken, stopsAll, keepsAll, exits, traps, noProbe, methodReference, inverts, swallows
  case dropsProbe, firstComesFirst, stopsAfterSix, ignoresRepeats, toggles, lastBoard, sharesStates
  case hidesCycle, keepsTokens, stopsLate, stopsWhenAsked, stopsInTask, unownedAndStops, guardsSelf
  case observation

  nonisolated(unsafe) static var everything: [Lamp] = []
  nonisolated(unsafe) static var tokens: [Int] = []
  nonisolated(unsafe) static var history: [Box<Int>] = []
  nonisolated(unsafe) static var board: Switchboard?
  nonisolated(unsafe) static var states: [Bool] = []
  nonisolated(unsafe) static var hasFirst = false

  static let all = solutions(
    of: LampJudge<Lamp>.exercise,
    [
      "What does the board hold through the closure?": [
        .asShipped, .onlyStops, .methodReference, .stopsWhenAsked,
      ],
      "A lamp must take its closure off the board when it goes.": [
        .onlyWeak, .wrongToken, .lastBoard, .stopsInTask,
      ],
      "the reference is weak": [.unowned],
      "A lamp must note every turn as long as it is there.": [.stopsAtOnce],
      "A lamp must note every turn": [
        .stopsAfterFirst, .noObserver, .inverts, .swallows, .stopsAfterSix, .ignoresRepeats,
        .toggles,
      ],
      "The end of one lamp must not take another off the board.": [
        .stopsAll, .firstComesFirst, .sharesStates,
      ],
      "Swift says: no lamp": [.traps],
      "No Lamp was counted": [.noProbe],
      "of memory stay": [.keepsTokens],
      "Nothing in this exercise takes time": [.stopsLate],
    ], right: [.unownedAndStops, .guardsSelf, .observation])

  final class Lamp: LampUnderStudy {
    private var own: [Bool] = []
    var states: [Bool] {
      if now == .stopsWhenAsked { board.stopObserving(token) }
      return now == .sharesStates ? Wrong17.states : own
    }
    private var isFirst = false
    private let wire = Wire()
    private var observation: Observation?
    private let board: Switchboard
    private var token = 0
    private let probe = makeProbe(of: Lamp.self)

    init(on board: Switchboard) {
      self.board = board
      if now == .keepsAll { everything.append(self) }
      if now == .noObserver { return }
      Wrong17.board = board
      if now == .sharesStates { (isFirst, hasFirst) = (!hasFirst, true) }
      if now == .hidesCycle { wire.onTurn = { [wire] in wire.isOn = $0 } }
      token = board.observe(observer)
      tokens.append(token)
      if now == .keepsTokens { history.append(Box(token)) }
      if now == .observation { observation = Observation(board, token) }
      if now == .stopsAtOnce { board.stopObserving(token) }
    }

    private var observer: (Bool) -> Void {
      switch now {
      case .asShipped, .onlyStops, .dropsProbe, .stopsWhenAsked: { self.note($0) }
      case .unowned, .unownedAndStops: { [unowned self] in self.note($0) }
      case .methodReference: note
      case .guardsSelf:
        { [weak self] isOn in
          guard let self else { return }
          self.note(isOn)
        }
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
      case .stopsAfterSix where states.count == 6: return
      case .ignoresRepeats where states.last == isOn: return
      case .toggles: return own.append(!(own.last ?? !isOn))
      case .sharesStates: if isFirst { Wrong17.states.append(isOn) }
      case .hidesCycle: wire.onTurn?(isOn)
      case .swallows where states.count == 3: return
      case .stopsAfterFirst: board.stopObserving(token)
      default: break
      }
      own.append(now == .inverts ? !isOn : isOn)
    }

    private final class Wire {
      var isOn = false
      var onTurn: ((Bool) -> Void)?
    }

    private final class Observation {
      private let board: Switchboard
      private let token: Int

      init(_ board: Switchboard, _ token: Int) { (self.board, self.token) = (board, token) }

      deinit { board.stopObserving(token) }
    }

    deinit {
      switch now {
      case .onlyWeak, .unowned, .traps, .observation, .stopsWhenAsked: break
      case .lastBoard: Wrong17.board?.stopObserving(token)
      case .stopsInTask: Task { [board, token] in board.stopObserving(token) }
      case .stopsLate:
        Task { [board, token] in
          try? await Task.sleep(for: .seconds(1))
          board.stopObserving(token)
        }
      case .firstComesFirst: board.stopObserving(tokens.removeFirst())
      case .wrongToken: board.stopObserving(token + 100)
      case .stopsAll: for token in 0...10 { board.stopObserving(token) }
      default: board.stopObserving(token)
      }
    }
  }
}
