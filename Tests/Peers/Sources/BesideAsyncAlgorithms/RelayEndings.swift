import MemlabKit

/// The same five endings for every relay.
struct RelayEndings<Studied: Relay> {
  /// Everything is sent, and the source finishes.
  func all(expects: Declaration, _ explanation: String) -> Ending {
    Ending(
      "all", "twenty values are sent, and the source finishes", expects: expects,
      explanation: explanation, judge: Verdict.sharedOut(from:)
    ) { lab in
      let stage = try RelayStage<Studied>(lab)
      try stage.iterate()
      try stage.send(20)
      try stage.finish()
      try stage.drop()
    }
  }

  /// One of the consumers is cancelled half-way.
  func cancel(expects: Declaration, _ explanation: String) -> Ending {
    Ending(
      "cancel", "B is cancelled after ten values, and ten more are sent", expects: expects,
      explanation: explanation
    ) { lab in
      let stage = try RelayStage<Studied>(lab)
      try stage.iterate()
      try stage.send(10)
      try stage.cancelB()
      try stage.send(10, from: 11)
      try stage.finish()
      try stage.drop()
    }
  }

  /// Nobody finishes anything.
  func drop(expects: Declaration, _ explanation: String) -> Ending {
    Ending(
      "drop", "the source is dropped, and nobody finishes it", expects: expects,
      explanation: explanation
    ) { lab in
      let stage = try RelayStage<Studied>(lab)
      try stage.iterate()
      try stage.send(1)
      try stage.drop()
    }
  }

  /// The consumers come when all is over.
  func late(expects: Declaration, _ explanation: String) -> Ending {
    Ending(
      "late", "A and B iterate after the source has finished", expects: expects,
      explanation: explanation
    ) { lab in
      let stage = try RelayStage<Studied>(lab)
      try stage.finish()
      try stage.iterate()
      try stage.drop()
    }
  }

  /// One of the consumers is slow.
  func slow(expects: Declaration, _ explanation: String) -> Ending {
    Ending(
      "slow", "B takes its first value when twenty have been sent", expects: expects,
      explanation: explanation
    ) { lab in
      let gate = Gate()
      let stage = try RelayStage<Studied>(lab)
      try stage.iterate(holdingB: gate)
      try stage.send(20)
      lab.ledger.setMetric("receivedByAMeanwhile", stage.received(by: "A"))
      try lab.step("B iterates") { gate.open() }
      try stage.finish()
      try stage.drop()
    }
  }
}

extension Verdict {
  /// As counted, and ``split`` where a consumer has not received what another one has.
  @Sendable fileprivate static func sharedOut(from totals: Totals) -> Verdict {
    let counted = Verdict.measured(from: totals)
    let metrics = totals.metrics
    guard counted == .clean, metrics["receivedByA"] != metrics["union"] else { return counted }
    return .split
  }
}
