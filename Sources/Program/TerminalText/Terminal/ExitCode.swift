/// The codes memlab ends with.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Everything was measured as declared, a leak shown on purpose included; also help and version.
  case success = 0

  /// Something was measured otherwise: an unexpected leak, a leak that is missing, a wrong count.
  case unexpected = 1

  /// Bad usage: an unknown scenario or option, or nothing selected; nothing was run.
  case usage = 64

  /// A program that cannot be watched, or a file that is no snapshot.
  case unfit = 65

  /// memlab can't be trusted here: witnesses disagree, the self-check failed, or a timeout.
  case untrusted = 70

  /// The output could not be written.
  case cannotWrite = 74
}

/// An error that says which code the program ends with.
package protocol ErrorWithExitCode: Error {
  /// The code to end with.
  var exitCode: ExitCode { get }
}

/// A file that was given to read and that cannot be used.
package struct UnreadableFile: ErrorWithExitCode, CustomStringConvertible {
  package let description: String
  package let exitCode = ExitCode.unfit

  /// Says what is wrong with it, in a sentence.
  package init(description: String) { self.description = description }
}

extension Output {
  /// Writes lines as a terminal shows them.
  ///
  /// - Parameter color: Whether to use control sequences.
  package func write(_ lines: [StyledText], color: Bool) throws(OutputError) {
    for line in lines { try write(control: line.rendered(color: color).withoutCommands + "\n") }
  }

  /// Writes a value as JSON, see ``VersionedJSON``.
  package func write(json value: some Encodable, schema: String) throws {
    try write(VersionedJSON.text(of: value, schema: schema) + "\n")
  }
}

extension OutputError {
  /// The code the program ends with.
  package var exitCode: ExitCode { .cannotWrite }
}

/// Values as JSON whose first key is the version of the schema.
package enum VersionedJSON {
  /// A value with the schema's version as its first key and all others sorted, so that equal
  /// measurements are equal bytes.
  package static func text(of value: some Encodable, schema: String) throws -> String {
    let body = String(decoding: try JSONEncoder.stable.encode(value), as: UTF8.self).shownInJSON
    return "{\n  \"schema\" : \"\(schema)\"," + body.dropFirst()
  }
}

/// Values as JSON in one line, as scripts and files with a line for each value have them.
package enum JSONText {
  /// A value in one line.
  package static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
