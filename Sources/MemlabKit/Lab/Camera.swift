import HeapGraph
import Synchronization

/// Records what both witnesses report after each step of a trial.
///
/// The heap's recorder does not see this memory: it is memlab's, not the pattern's.
final class Camera: Sendable {
  private struct State {
    var moments: [Moment] = []
    var failure: (any Error)?
  }

  private let ledger: Ledger
  private let witness: HeapWitness?
  private let state = Mutex(State())

  /// A camera for a trial.
  ///
  /// - Parameters:
  ///   - ledger: the trial's ledger.
  ///   - witness: reads the heap; nil where it cannot be read.
  init(ledger: Ledger, witness: HeapWitness?) {
    self.ledger = ledger
    self.witness = witness
  }

  /// How many steps have been recorded.
  var count: Int { state.withLock { $0.moments.count } }

  /// What both witnesses reported, step by step.
  ///
  /// - Throws: the first failure to read the heap, or the first disagreement of the witnesses.
  var moments: [Moment] {
    get throws {
      try state.withLock { state in
        if let failure = state.failure { throw failure }
        return state.moments
      }
    }
  }

  /// Records the state after a step.
  func take(_ step: StepRecord) {
    HeapRecording.withoutRecording {
      let result = Result { try moment(after: step) }
      state.withLock { state in
        switch result {
        case .success(let moment): state.moments.append(moment)
        case .failure(let error): state.failure = state.failure ?? error
        }
      }
    }
  }

  private func moment(after step: StepRecord) throws -> Moment {
    let totals = ledger.totals
    guard let glance = try witness?.glance(ledger.types) else {
      return Moment(step: step, totals: totals, heap: nil, holders: [])
    }
    let disagreements = Disagreement.all(between: totals, and: glance.report, isOver: false)
    guard disagreements.isEmpty else { throw Disagreement(sentences: disagreements) }
    return Moment(step: step, totals: totals, heap: glance.report, holders: glance.holders)
  }
}
