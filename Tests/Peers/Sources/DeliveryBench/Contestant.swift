/// A way to bring values to several consumers, to be timed.
struct Contestant: Sendable {
  /// What the table calls it.
  let name: String
  /// Delivers so many values to so many consumers.
  let deliver: @Sendable (_ values: Int, _ consumers: Int) async -> Lap

  /// All of them; the first is what the others are compared with.
  static let all: [Contestant] = [
    .broadcast, .share, .unboundedShare, .subject, .openCombineSubject,
  ]
}

/// One timed run.
struct Lap: Sendable {
  /// How many values the consumers have received, all together.
  var received: Int
  /// What it took, on all processors together, from the first value to the last consumer's end.
  var time: Duration

  /// Values received per second of processor time.
  var rate: Double { Double(received) / (time / .seconds(1)) }

  /// Times something that returns how many values were received.
  static func timing(_ body: () async -> Int) async -> Lap {
    let start = ProcessorTime.now
    let received = await body()
    return Lap(received: received, time: ProcessorTime.now - start)
  }
}
