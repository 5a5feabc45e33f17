import Synchronization

/// A reader who has logged in.
final class Session: Sendable {
  let reader: String
  let settings: Settings

  init(reader: String) {
    self.reader = reader
    settings = Settings(language: "English")
  }
}

/// What a reader has chosen.
final class Settings: Sendable {
  let language: String

  init(language: String) { self.language = language }
}

// snippet:sessions
/// The sessions, by their numbers.
final class Sessions: Sendable {
  static let shared = Sessions()
  private let open = Mutex<[Int: Session]>([:])

  /// Opens a session.
  ///
  /// - Parameter limit: how many sessions are kept; the oldest goes first.
  /// - Returns: its number.
  func begin(for reader: String, limit: Int?) -> Int {
    open.withLock { open in
      let number = (open.keys.max() ?? 0) + 1
      open[number] = Session(reader: reader)
      if let limit { open[number - limit] = nil }
      return number
    }
  }
}
// snippet:end
