import TestSupport

/// What is done or happens in a text, as far as the words tell in which scenarios are written.
enum Events {
  private static let forms: [(event: String, words: [String])] = [
    ("answer", ["answer", "answers", "answered"]), ("append", ["append", "appends", "appended"]),
    ("dispose", ["dispose", "disposes", "disposed"]),
    ("cancel", ["cancel", "cancels", "cancelled", "cancelling"]),
    ("complete", ["complete", "completes", "completed"]), ("copy", ["copy", "copies", "copied"]),
    ("drop", ["drop", "drops", "dropped"]), ("fail", ["fail", "fails", "failed", "decoded"]),
    ("finish", ["finish", "finishes", "finished"]), ("keep", ["keep", "keeps", "kept"]),
    ("remove", ["remove", "removes", "removed"]), ("save", ["save", "saves", "saved"]),
    ("send", ["send", "sends", "sent"]), ("signal", ["signal", "signals", "signalled"]),
    ("stop", ["stop", "stops", "stopped"]),
    ("subscribe", ["subscribe", "subscribes", "subscribed"]),
    ("throw", ["throw", "throws", "thrown"]), ("tick", ["tick", "ticks"]),
  ]

  /// The events that a text speaks of.
  static func named(in text: String) -> Set<String> {
    let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
    return Set(forms.filter { !words.isDisjoint(with: $0.words) }.map(\.event))
  }
}
