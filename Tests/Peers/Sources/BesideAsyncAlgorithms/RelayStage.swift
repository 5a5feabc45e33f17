import MemlabKit

/// Two consumers of a relay, and the acts of their endings.
///
/// The consumers hold what they iterate and not the relay: who holds the owner of a stream while it
/// waits is the subject of `broadcast-dropped`, and the same for every library.
final class RelayStage<Studied: Relay> {
  /// Where the acts are done.
  let lab: Lab
  private let received = Received()
  private var relay: Studied?
  private var consumers: [String: Task<Void, Never>] = [:]

  /// A stage with a relay on it.
  init(_ lab: Lab) throws {
    self.lab = lab
    try lab.step("the relay is created") { relay = Studied() }
  }

  /// Lets A and B iterate.
  func iterate() throws {
    try Scope.around {
      for name in ["A", "B"] {
        try lab.step("\(name) iterates") { consumers[name] = iterate(as: name) }
      }
    }
  }

  /// Lets A iterate; B subscribes and takes its first value when the gate is opened.
  func iterate(holdingB gate: Gate) throws {
    try lab.step("A iterates; B subscribes and does not iterate yet") {
      Scope.around {
        consumers["A"] = iterate(as: "A")
        consumers["B"] = iterate(as: "B", startingAt: gate)
      }
    }
  }

  /// Sends values, one after another as the consumers take them.
  ///
  /// The pause between two, on memlab's clock, lets both wait for the next; without it the one that
  /// is quicker would get more where values are shared out.
  func send(_ count: Int, from first: Int = 1) throws {
    let ledger = lab.ledger
    let sent = ledger.totals.task("sender").finished + 1
    let isSent: @Sendable () -> Bool = { ledger.totals.task("sender").finished == sent }
    try lab.step("\(count) values are sent", until: isSent) {
      Task(probe: "sender") { [relay] in
        for number in first..<(first + count) {
          await relay?.send(Message(number))
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }

  /// Ends the source.
  func finish() throws {
    try lab.release("the source finishes") { Task { [relay] in await relay?.finish() } }
  }

  /// Cancels B.
  func cancelB() throws { try lab.release("B is cancelled") { consumers["B"]?.cancel() } }

  /// Drops the relay and the consumers' handles, and enters who has received what.
  func drop() throws {
    try lab.release("the relay is dropped") { (relay, consumers) = (nil, [:]) }
    received.setMetrics(of: lab.ledger)
  }

  /// How many values a consumer has received so far.
  func received(by name: String) -> Int { lab.ledger.notes(of: "\(name) received") }

  private func iterate(as name: String, startingAt gate: Gate? = nil) -> Task<Void, Never> {
    Task(probe: name) { [weak relay, received] in
      guard let values = await relay?.values() else { return }
      await received.enterAll(of: values, by: name, startingAt: gate)
    }
  }
}
