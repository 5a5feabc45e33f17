import HeapGraph

extension TrialReport {
  /// Who holds the survivors of a type in the end, each once: `Song.playlist`, `task forwarder`.
  ///
  /// Empty where the heap cannot be read.
  package func holders(of type: String) -> [String] {
    let chains = heap?.paths.filter { $0.type == type } ?? []
    return chains.map { "\($0.holder)" }.uniqued()
  }

  /// What the unfinished tasks of a name wait for, each once: `AsyncStream.Iterator.next()`.
  ///
  /// Empty where the heap cannot be read, and where only the holders were asked for.
  package func waits(ofTask name: String) -> [String] {
    let waiters = heap?.tasks.filter { $0.name == name } ?? []
    return waiters.compactMap(\.suspendedIn).uniqued()
  }
}
