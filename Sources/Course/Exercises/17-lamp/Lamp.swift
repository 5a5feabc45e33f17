// A lamp observes a switchboard, which lives as long as the house. A lamp that is taken away stays
// alive, and the switchboard goes on calling it. Fix it so that a lamp is deinitialised when it is
// dropped, and so that the switchboard has one observer less then.

import MemlabKit

/// The lamp.
final class Lamp: LampUnderStudy {
  /// Each state that it was in, in order.
  private(set) var states: [Bool] = []
  private let probe = Probe(Lamp.self)

  /// A lamp on this switchboard.
  init(on board: Switchboard) {
    _ = board.observe { isOn in self.states.append(isOn) }
  }
}
