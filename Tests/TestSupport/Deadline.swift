import Dispatch
import Foundation
import Synchronization

/// Kills a program that has not ended in time.
final class Deadline: Sendable {
  private let limit: Duration
  private let process: pid_t
  private let state = Mutex(State.running)

  private enum State { case running, killed, over }

  /// Starts to count for a program that runs.
  init(for process: Process, after limit: Duration) {
    (self.process, self.limit) = (process.processIdentifier, limit)
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.pass() }
  }

  /// The program has ended: its number may belong to another one from now on.
  func cancel() { state.withLock { if $0 == .running { $0 = .over } } }

  /// What a reader of the program's errors should know; empty when it ended by itself.
  var remark: String {
    state.withLock { $0 == .killed ? "\nkilled, because it had not ended after \(limit)\n" : "" }
  }

  private func pass() {
    state.withLock { state in
      guard state == .running else { return }
      kill(process, SIGKILL)
      state = .killed
    }
  }
}
