import MemlabKit
import MemlabScenarios

/// The relays, each with what it measures.
enum Peers {
  static let scenarios: [Scenario] = [.broadcast, .share, .channel, .stream]
}

extension Scenario {
  /// A relay as a scenario.
  init<Studied: Relay>(
    _ id: String, _ title: String, of relay: Studied.Type,
    endings: (RelayEndings<Studied>) -> [Ending]
  ) {
    self.init(
      id: id, title: title, document: .asyncStreamBroadcast, place: "beside other libraries",
      lesson: "03-one-stream-many-consumers",
      question: "Two consumers want every value. What does each of them get, and does all end?",
      hint: "Who keeps a value until both have taken it?", endings: endings(RelayEndings()))
  }
}

extension Document {
  /// The document that the broadcaster in `Patterns` comes from.
  fileprivate static var asyncStreamBroadcast: Document {
    guard let scenario = Catalog.scenario("broadcast-stream") else {
      preconditionFailure("the catalog has no broadcast-stream")
    }
    return scenario.document
  }
}
