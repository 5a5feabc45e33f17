/// How fast a contestant delivers to so many consumers.
struct Measurement: Sendable {
  private let contestant: Contestant
  private let consumers: Int
  private let lapTime: Duration

  /// - Parameter lapTime: how long a lap takes at least; shorter ones measure the clock.
  init(of contestant: Contestant, consumers: Int, lapTime: Duration) {
    self.contestant = contestant
    self.consumers = consumers
    self.lapTime = lapTime
  }

  /// Values delivered per second of processor time, the median of five laps.
  ///
  /// - Throws: ``Undelivered`` when a consumer has missed a value, or got one too many.
  func rate() async throws(Undelivered) -> Double {
    var values = 1
    while try await lap(values).time < lapTime { values *= 2 }
    var rates: [Double] = []
    for _ in 0..<5 { rates.append(try await lap(values).rate) }
    return rates.sorted()[2]
  }

  private func lap(_ values: Int) async throws(Undelivered) -> Lap {
    let lap = await contestant.deliver(values, consumers)
    guard lap.received == values * consumers else {
      throw Undelivered(
        name: contestant.name, consumers: consumers, expected: values * consumers,
        received: lap.received)
    }
    return lap
  }
}

/// Not every consumer has received every value, so there is nothing to compare.
struct Undelivered: Error, CustomStringConvertible {
  let name: String
  let consumers: Int
  let expected: Int
  let received: Int

  var description: String {
    "\(name) has delivered \(received) values to \(consumers) consumers, and not \(expected)"
  }
}
