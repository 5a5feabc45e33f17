public import MemlabKit

/// Code that leaks or loses something as shipped, and the endings that it has to survive.
///
/// The file that the learner edits holds the task as its first comment and the code. Everything
/// that judges it stands in a file beside it, which is generic over the learner's types, so that
/// the solutions go through the same.
public struct Exercise: Sendable {
  /// Its number, two digits: that of the lesson which it belongs to.
  public let number: String
  /// What is to be mended, as a phrase: "a playlist and its songs".
  public let title: String
  /// The folder in `Lessons/` that it belongs to.
  public let lesson: String
  /// The file to edit, from `Sources/Exercises`: `01-playlist/Playlist.swift`.
  public let file: String
  /// What to say to somebody who is stuck.
  public let hint: String
  /// What each figure of its endings says, as a sentence without its subject, by the figure's name.
  public let figures: [String: String]
  /// The endings, with what each measures once the exercise is solved.
  public let endings: [Ending]

  /// An exercise; `Exercises` lists it, and tests over the list hold it to its word.
  package init(
    number: String, title: String, lesson: String, file: String, hint: String,
    figures: [String: String] = [:], endings: [Ending]
  ) {
    self.number = number
    self.title = title
    self.lesson = lesson
    self.file = file
    self.hint = hint
    self.figures = figures
    self.endings = endings.map { $0.belonging(to: "exercise \(number)") }
  }
}

extension Exercise: CustomStringConvertible {
  /// The number.
  public var description: String { number }
}
