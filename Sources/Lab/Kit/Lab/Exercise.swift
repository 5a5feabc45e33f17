/// Code that leaks or loses something as shipped, and the endings that it must survive.
///
/// The file that the learner edits has the task as its first comment, and the code. What judges it is
/// in another module, generic over the learner's types, so that the same file judges the solutions.
package struct Exercise: Sendable, CustomStringConvertible {
  /// Its number, two digits. Lesson 01 has 01 and 11, lesson 02 has 02 and 12, and so on up to 09 and
  /// 19; lesson 11 has 21 and 22, and lesson 12 has 23 and 24. What counts is ``lesson``.
  package let number: String
  /// What to fix, as a phrase: "a playlist and its songs".
  package let title: String
  /// The folder in `Lessons/` that it belongs to.
  package let lesson: String
  /// The file to edit, from `Sources/Course/Exercises`: `01-playlist/Playlist.swift`.
  package let file: String
  /// Where to look: what to say first to a learner who is stuck.
  package let hint: String
  /// What to write: what to say to a learner whom the first hint has not helped.
  package let secondHint: String
  /// The meaning of each figure of its endings, by the figure's name, as a sentence without its
  /// subject.
  package let figures: [String: String]
  /// What to say when a count is wrong, as a sentence, by the name of the figure or of the type, or
  /// by `task` and the task's name.
  package let advice: [String: String]
  /// The endings, with what each measures once the exercise is solved.
  package let endings: [Ending]

  /// An exercise. `Exercises` lists it, and tests check everything in the list.
  package init(
    number: String, title: String, lesson: String, file: String, hint: String, secondHint: String,
    figures: [String: String] = [:], advice: [String: String] = [:], endings: [Ending]
  ) {
    (self.number, self.title, self.lesson, self.file) = (number, title, lesson, file)
    (self.hint, self.secondHint) = (hint, secondHint)
    (self.figures, self.advice) = (figures, advice)
    self.endings = endings.map {
      $0.belonging(to: "exercise \(number)").callingVariables("of the judge")
    }
  }

  /// The number.
  package var description: String { number }

  /// The name of its folder without the number: `playlist`.
  package var name: String { String(file.prefix { $0 != "/" }.drop { $0.isNumber || $0 == "-" }) }
}
