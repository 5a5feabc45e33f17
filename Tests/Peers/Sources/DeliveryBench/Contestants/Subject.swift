import MemlabPatterns

extension Contestant {
  /// The subject in `Patterns`: a call for each consumer, no task, no buffer.
  static let subject = Contestant(name: "PassthroughSubject, Patterns") { values, consumers in
    let subject = PassthroughSubject<Int, Never>()
    var counts = [Int](repeating: 0, count: consumers)
    let cancellables = counts.indices.map { index in subject.sink { _ in counts[index] += 1 } }
    let lap = await Lap.timing {
      for value in 0..<values { subject.send(value) }
      return counts.reduce(0, +)
    }
    withExtendedLifetime(cancellables) {}
    return lap
  }
}
