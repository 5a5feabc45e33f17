import MemlabHeapModel
import Synchronization

/// Records what both witnesses report after each step of a trial.
///
/// The heap's recorder does not see this memory: it is memlab's, not the pattern's.
final class Camera: Sendable {
  private struct State {
    var shots: [Shot] = []
    var failure: Failure?
  }

  /// The first step after which the heap could not be read, or the witnesses disagreed.
  struct Failure: Error {
    /// The number of the step, from 1.
    let step: Int
    /// Why, without a full stop.
    let reason: String
  }

  private let ledger: Ledger
  private let witness: HeapWitness?
  private let unnamedVariables: String?
  private let state = Mutex(State())

  /// A camera for a trial.
  ///
  /// - Parameters:
  ///   - ledger: the trial's ledger.
  ///   - witness: reads the heap; nil where it cannot be read.
  ///   - unnamedVariables: what to call variables without a name; nil where each has one.
  init(ledger: Ledger, witness: HeapWitness?, unnamedVariables: String? = nil) {
    self.ledger = ledger
    self.witness = witness
    self.unnamedVariables = unnamedVariables
  }

  /// What both witnesses reported, step by step.
  ///
  /// - Throws: the first failure to read the heap, or the first disagreement of the witnesses.
  var shots: [Shot] {
    get throws(Failure) {
      let (shots, failure) = state.withLock { ($0.shots, $0.failure) }
      if let failure { throw failure }
      return shots
    }
  }

  /// Records the state after a step.
  func take(_ step: StepRecord) {
    HeapRecording.withoutRecording {
      let result = Result { try shot(after: step) }
      state.withLock { state in
        switch result {
        case .success(let shot): state.shots.append(shot)
        case .failure(let error):
          state.failure = state.failure ?? Failure(step: step.index, reason: "\(error)")
        }
      }
    }
  }

  private func shot(after step: StepRecord) throws -> Shot {
    let totals = ledger.totals
    guard let glance = try witness?.glance(ledger.types, variables: ledger.variables) else {
      return Shot(step: step, totals: totals)
    }
    let map = unnamedVariables.map(glance.map.holdingTheRest) ?? glance.map
    let disagreements =
      Disagreement.all(between: totals, and: glance.report, isOver: false)
      + Disagreement.unaccounted(in: map)
    guard disagreements.isEmpty else { throw Disagreement(sentences: disagreements) }
    return Shot(step: step, totals: totals, heap: glance.report, map: map)
  }
}
