/// The recorded runs of a scenario's endings, with the code that they ran.
///
/// Encoded, it is the schema `memlab.film/1`.
package struct FilmReel: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.film/1"

  /// A part of a source file.
  package struct Code: Codable, Sendable, Equatable {
    /// The file's path from the root of the checkout.
    package let path: String
    /// The number of the first line, from 1.
    package let line: Int
    /// The lines.
    package let text: String

    /// A part of a file.
    package init(path: String, line: Int, text: String) {
      (self.path, self.line, self.text) = (path, line, text)
    }
  }

  /// The scenario's id.
  package let scenario: String
  /// What the pattern is, as a phrase.
  package let title: String
  /// The title of the document that it comes from.
  package let document: String
  /// The folder in `Lessons/` that teaches it.
  package let lesson: String?
  /// The scenario that fixes it; left out where there is none.
  package let fixedBy: String?
  /// The code under study.
  package let code: [Code]
  /// Why there is no second witness, or what it cannot tell, as a sentence; left out when it tells
  /// everything.
  package let remark: String?
  /// The endings, in the order in which they run.
  package let endings: [FilmedEnding]

  /// The reel of a scenario.
  package init(
    of scenario: Scenario, code: [Code], endings: [FilmedEnding], remark: String? = nil
  ) {
    self.scenario = scenario.id
    title = scenario.title
    document = scenario.document.title
    lesson = scenario.lesson
    fixedBy = scenario.fixedBy
    self.code = code
    self.remark = remark
    self.endings = endings
  }
}

/// The recorded run of one ending, or why there is none.
package struct FilmedEnding: Codable, Sendable {
  /// The ending's name.
  package let name: String
  /// What happens, as a phrase.
  package let title: String
  /// What to ask before it is shown.
  package let question: String
  /// Why it comes to its result.
  package let explanation: String
  /// What was measured, step by step; left out when the run failed.
  package let film: Film?
  /// Why nothing was measured, as a sentence; left out when there is a film.
  package let failure: String?

  /// The run of an ending.
  ///
  /// - Parameters:
  ///   - ending: what was run.
  ///   - scenario: what it is an ending of.
  ///   - film: what was measured, or the sentence that says why nothing was.
  package init(_ ending: Ending, of scenario: Scenario, film: Result<Film, some Error>) {
    name = ending.name
    title = ending.title
    question = scenario.question(before: ending)
    explanation = ending.explanation
    switch film {
    case .success(let film): (self.film, failure) = (film, nil)
    case .failure(let error): (self.film, failure) = (nil, "\(error)")
    }
  }
}
