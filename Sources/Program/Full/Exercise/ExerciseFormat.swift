import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// What came of an exercise, as programs read it: `memlab.exercise/1`.
struct ExerciseVerdict: Encodable {
  /// What came of one ending.
  struct OfEnding: Encodable {
    /// The ending's name.
    let ending: String
    /// What happens in it.
    let title: String
    /// Whether everything is as it should be.
    let solved: Bool
    /// What is wrong and what helps, the most important first.
    let sentences: [String]
    /// How long it took, in real time; not part of the JSON, which is the same for equal results.
    let duration: Duration

    private enum CodingKeys: String, CodingKey { case ending, title, solved, sentences }
  }

  /// The schema of the JSON for one exercise.
  static let schema = "memlab.exercise/1"

  /// The exercise's number.
  let exercise: String
  /// What is to be fixed.
  let title: String
  /// The folder of its lesson, in `Lessons/`.
  let lesson: String
  /// The learner's file, from the root of the checkout.
  let file: String
  /// Whether all the endings that were judged are as they should be.
  let solved: Bool
  /// The endings that were judged.
  let endings: [OfEnding]

  /// The verdict on an exercise.
  ///
  /// - Throws: ``ExerciseFileError`` when the learner's file cannot be read.
  init(_ exercise: Exercise, _ judged: [JudgedEnding], in session: Session) throws {
    self.exercise = exercise.number
    (title, lesson) = (exercise.title, exercise.lesson)
    file = session.exerciseFiles.path(of: exercise)
    let unsafeCode = try session.exerciseFiles.unsafeCode(of: exercise)
    endings = judged.map {
      OfEnding(
        ending: $0.ending.name, title: $0.ending.title, solved: unsafeCode == nil && $0.isSolved,
        sentences: [unsafeCode].compactMap(\.self) + $0.sentences(of: exercise),
        duration: $0.duration)
    }
    solved = endings.allSatisfy(\.solved)
  }
}

/// How `memlab exercise` writes its verdicts.
enum ExerciseFormat: String, CaseIterable {
  /// For people.
  case text
  /// For programs.
  case json
  /// For build servers.
  case junit

  /// Every exercise in this format, which is not ``text``.
  func text(of verdicts: [ExerciseVerdict]) throws -> String {
    if self == .junit { return Self.junit(verdicts) }
    let all: JSONObject = [
      "solved": verdicts.count(where: \.solved), "total": verdicts.count, "exercises": verdicts,
    ]
    return try VersionedJSON.text(of: all, schema: "memlab.exercises/1") + "\n"
  }

  /// One exercise in this format, which is not ``text``.
  func text(of verdict: ExerciseVerdict) throws -> String {
    self == .junit
      ? Self.junit([verdict])
      : try VersionedJSON.text(of: verdict, schema: ExerciseVerdict.schema) + "\n"
  }

  /// A suite for each exercise, a case for each ending.
  private static func junit(_ verdicts: [ExerciseVerdict]) -> String {
    let endings = verdicts.flatMap(\.endings)
    let suites = verdicts.map { verdict in
      JUnitElement(
        "testsuite", [("name", "exercise \(verdict.exercise)")] + counts(verdict.endings),
        children: verdict.endings.map { testCase($0, of: verdict) })
    }
    let attributes = [("name", "memlab exercise")] + counts(endings)
    return JUnitElement("testsuites", attributes, children: suites).document
  }

  private static func counts(_ endings: [ExerciseVerdict.OfEnding]) -> JUnitElement.Attributes {
    [
      ("tests", "\(endings.count)"), ("failures", "\(endings.count { !$0.solved })"),
      ("errors", "0"), ("skipped", "0"),
      ("time", JUnitElement.seconds(endings.reduce(.zero) { $0 + $1.duration })),
    ]
  }

  private static func testCase(
    _ ending: ExerciseVerdict.OfEnding, of verdict: ExerciseVerdict
  ) -> JUnitElement {
    let message = [("type", "not solved"), ("message", ending.sentences.first ?? "")]
    let text = ([verdict.file] + ending.sentences).joined(separator: "\n")
    let attributes = [
      ("classname", "memlab.exercise.\(verdict.exercise)"), ("name", "ending \(ending.ending)"),
      ("file", verdict.file), ("time", JUnitElement.seconds(ending.duration)),
    ]
    let failure = ending.solved ? [] : [JUnitElement("failure", message, text: text)]
    return JUnitElement("testcase", attributes, children: failure)
  }
}
