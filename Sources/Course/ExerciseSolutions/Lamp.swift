import MemlabExercises
import MemlabKit

/// The lamp.
final class Lamp: LampUnderStudy {
  /// Each state that it was in, in order.
  private(set) var states: [Bool] = []
  private let board: Switchboard
  private var token = 0
  private let probe = Probe(Lamp.self)

  /// A lamp on this switchboard.
  init(on board: Switchboard) {
    self.board = board
    token = board.observe { [weak self] isOn in self?.states.append(isOn) }
  }

  deinit { board.stopObserving(token) }
}
