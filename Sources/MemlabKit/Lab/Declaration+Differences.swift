import HeapGraph

extension Declaration {
  /// Each way in which a measurement differs from this declaration, as a sentence.
  func differences(from totals: Totals, verdict: Verdict) -> [String] {
    guard isBinding else { return isRecorded ? [Self.unrecorded] : [] }
    var differences: [String] = []
    if verdict != self.verdict {
      differences.append("verdict: expected \(self.verdict.rawValue), measured \(verdict.rawValue)")
    }
    for type in names(objects, totals.objects) {
      let expected = objects.first { $0.type == type } ?? ObjectCount(name: type)
      let measured = totals.object(type)
      guard expected != measured else { continue }
      differences.append(
        "\(type): expected \(expected.inWords), measured \(measured.inWords)")
    }
    for name in names(tasks, totals.tasks) {
      let expected = tasks.first { $0.name == name } ?? TaskCount(name: name)
      let measured = totals.task(name)
      guard expected != measured else { continue }
      differences.append(
        "task \(name): expected \(expected.inWords), measured \(measured.inWords)")
    }
    return differences + metricDifferences(from: totals.metrics)
  }

  // For someone who has just written a scenario, it is the first difference that they see.
  private static let unrecorded =
    "nothing is recorded for this ending, and nothing declared in code; run check --record"

  /// Each survivor whose holder is not the declared one, as a sentence.
  func differences(from heap: HeapReport) -> [String] {
    guard isBinding else { return [] }
    let missing = held.filter { type, _ in !heap.paths.contains { $0.type == type } }
    // Where a type should have no survivors, the count already differs.
    let undeclared = heap.paths.filter { chain in
      isToStay(chain.type) && held[chain.type]?.matches(chain) != true
    }
    return missing.sorted { $0.key < $1.key }.map {
      "\($0.key): expected to be held by \($0.value), but the heap has none"
    }
      + Set(undeclared.map { "\($0.type): the heap has it held by \($0.holder)" }).sorted().map {
        "\($0), which is not declared"
      }
  }

  private func isToStay(_ type: String) -> Bool {
    objects.contains { $0.type == type && $0.alive > 0 }
  }

  private func metricDifferences(from measured: [Metric: Int]) -> [String] {
    Set(metrics.keys).union(measured.keys).sorted().compactMap { name in
      guard metrics[name] != measured[name] else { return nil }
      let (expected, found) = (metrics[name], measured[name])
      return "\(name): expected \(expected.inWords), measured \(found.inWords)"
    }
  }

  private func names<Count: Counted>(_ expected: [Count], _ measured: [Count]) -> [String] {
    let expected = expected.map(\.name)
    return expected + measured.map(\.name).filter { !expected.contains($0) }
  }
}

extension ObjectCount {
  fileprivate var inWords: String { "\(deinitialized) of \(created) deinitialised" }
}

extension TaskCount {
  fileprivate var inWords: String { "\(finished) of \(started) finished" }
}

extension Int? {
  fileprivate var inWords: String { map(String.init) ?? "nothing" }
}
