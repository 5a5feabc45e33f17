/// A published text whose code and claims are put to the test.
package struct Document: Sendable, Equatable {
  /// The file name under which the text is kept, or the address at which it is published.
  package let file: String
  /// The title, in English.
  package let title: String
  /// The word that `--family` takes and `memlab matrix` shows for the scenarios of this and of similar
  /// documents.
  package let family: String

  /// A document.
  ///
  /// - Parameters:
  ///   - file: its file name or address.
  ///   - title: its title, in English.
  ///   - family: the word for `--family`.
  package init(file: String, title: String, family: String = "other") {
    self.file = file
    self.title = title
    self.family = family
  }
}
