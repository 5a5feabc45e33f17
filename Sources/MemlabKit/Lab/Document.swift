/// A published text whose code and claims are put to the test.
public struct Document: Sendable, Equatable {
  /// The file name under which the text is kept, or the address at which it is published.
  public let file: String
  /// The title, in English.
  public let title: String
  /// The word that `--family` takes and `memlab matrix` shows for the scenarios of this and of similar
  /// documents.
  public let family: String

  /// A document.
  ///
  /// - Parameters:
  ///   - file: its file name or address.
  ///   - title: its title, in English.
  ///   - family: the word for `--family`.
  public init(file: String, title: String, family: String = "other") {
    self.file = file
    self.title = title
    self.family = family
  }

  /// What stands in for a document where a scenario has none: the module that declares it.
  ///
  /// - Parameter file: as `#fileID` has it.
  static func none(in file: String) -> Document {
    let module = String(file.prefix { $0 != "/" })
    return Document(file: module, title: module, family: "own")
  }
}
