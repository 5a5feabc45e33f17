import MemlabKit

/// The same five endings for every relay.
struct RelayEndings<Studied: Relay> {
  /// Everything is sent, and the source finishes.
  func all(expects: Declaration, _ explanation: String) -> Ending {
    ending(
      "all", "twenty values are sent, and the source finishes", expects, explanation,
      judge: Verdict.sharedOut(from:)
    ) { stage in
      try stage.iterate()
      try stage.send(20)
      try stage.finish()
    }
  }

  /// One of the consumers is cancelled half-way.
  func cancel(expects: Declaration, _ explanation: String) -> Ending {
    ending(
      "cancel", "B is cancelled after ten values, and ten more are sent", expects, explanation
    ) { stage in
      try stage.iterate()
      try stage.send(10)
      try stage.cancelB()
      try stage.send(10, from: 11)
      try stage.finish()
    }
  }

  /// Nobody finishes anything.
  func drop(expects: Declaration, _ explanation: String) -> Ending {
    ending("drop", "the source is dropped, and nobody finishes it", expects, explanation) { stage in
      try stage.iterate()
      try stage.send(1)
    }
  }

  /// The consumers come when all is over.
  func late(expects: Declaration, _ explanation: String) -> Ending {
    ending("late", "A and B iterate after the source has finished", expects, explanation) { stage in
      try stage.finish()
      try stage.iterate()
    }
  }

  /// One of the consumers is slow.
  func slow(expects: Declaration, _ explanation: String) -> Ending {
    ending("slow", "B takes its first value when twenty have been sent", expects, explanation) {
      stage in
      let gate = Gate()
      try stage.iterate(holdingB: gate)
      try stage.send(20)
      stage.lab.ledger.setMetric("receivedByAMeanwhile", stage.received(by: "A"))
      try stage.lab.step("B iterates") { gate.open() }
      try stage.finish()
    }
  }

  // On a stage with a relay, which is dropped in the end.
  private func ending(
    _ name: String, _ title: String, _ expects: Declaration, _ explanation: String,
    judge: @escaping @Sendable (Totals) -> Verdict = Verdict.measured(from:),
    play: @escaping @Sendable (RelayStage<Studied>) throws -> Void
  ) -> Ending {
    Ending(name, title, expects: expects, explanation: explanation, judge: judge) { lab in
      let stage = try RelayStage<Studied>(lab)
      try play(stage)
      try stage.drop()
    }
  }
}

extension Verdict {
  /// As counted, and ``split`` where a consumer has not received what another one has.
  @Sendable fileprivate static func sharedOut(from totals: Totals) -> Verdict {
    let (counted, metrics) = (Verdict.measured(from: totals), totals.metrics)
    guard counted == .clean, metrics["receivedByA"] != metrics["union"] else { return counted }
    return .split
  }
}
