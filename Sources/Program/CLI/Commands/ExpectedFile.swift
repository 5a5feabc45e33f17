import MemlabKit

/// The file of expected results of a program: what `check --record` writes, and all else compares with.
package struct ExpectedFile: Sendable {
  /// The path as messages show it.
  let path: String
  private let location: String

  /// The file of a program.
  ///
  /// - Parameters:
  ///   - path: from the folder that has the package's `Package.swift`, or, where the program's
  ///     sources are not there, from the working directory. An absolute path is taken as it is.
  ///   - source: a source file of the package, as `#filePath` has it.
  package init(_ path: String, besideSource source: String?) {
    self.path = path
    let root = source.flatMap(Self.root)
    location = path.hasPrefix("/") ? path : root.map { "\($0)/\(path)" } ?? path
  }

  /// What it holds; nil where it is not there.
  ///
  /// - Throws: ``ExpectedFileError`` when it cannot be read or understood.
  func read() throws(ExpectedFileError) -> ExpectedResults? {
    guard FileManager.default.fileExists(atPath: location) else { return nil }
    guard let text = try? String(contentsOfFile: location, encoding: .utf8) else {
      throw ExpectedFileError(
        description: "the expected results in \(quotedPath(path)) cannot be read; nothing was run, "
          + "and the file is as it was")
    }
    do { return try ExpectedResults(parsing: text) } catch {
      throw ExpectedFileError(
        description: "the expected results in \(quotedPath(path)) cannot be understood: \(error); "
          + "nothing was run, and the file is as it was. Correct the line, or remove the file and record "
          + "it anew with 'check --record'")
    }
  }

  /// Puts these results in its place, whole or not at all.
  func write(_ results: ExpectedResults, for program: String) throws(OutputError) {
    try WholeFile(location).write(results.text(for: program))
  }

  /// The folder above a source file that has a `Package.swift`.
  private static func root(of source: String) -> String? {
    let parts = source.split(separator: "/").dropLast()
    return parts.indices.reversed().lazy.map { "/" + parts[...$0].joined(separator: "/") }
      .first { FileManager.default.fileExists(atPath: $0 + "/Package.swift") }
  }
}

/// The file of expected results cannot be used.
struct ExpectedFileError: Error, CustomStringConvertible {
  /// A sentence without its full stop.
  let description: String
}

extension App {
  /// The program, with what its file of expected results declares of endings that declare nothing in
  /// code.
  ///
  /// - Throws: ``ExpectedFileError`` when the file is there and cannot be used.
  func expectingRecorded() throws(ExpectedFileError) -> App {
    guard recordsAny, let results = try expectedFile?.read() else { return self }
    let scenarios = scenarios.map { scenario in
      scenario.declaring { ending in
        ending.expects.isRecorded ? results.declaration(of: ending.name, in: scenario.id) : nil
      }
    }
    return changed(self) { $0.scenarios = scenarios }
  }

  /// Whether it takes from the file what any of its endings measures.
  var recordsAny: Bool { scenarios.contains { $0.endings.contains(where: \.expects.isRecorded) } }

  /// What the file of expected results has of endings that the program has not, or that declare in
  /// code what they measure.
  func staleExpectations() throws(ExpectedFileError) -> [ExpectedResults.Entry] {
    let results = try expectedFile?.read() ?? ExpectedResults()
    return results.entries.filter { !isRecorded($0) }
  }

  /// Whether the program has the ending of an entry, and takes from the file what it measures.
  func isRecorded(_ entry: ExpectedResults.Entry) -> Bool {
    scenarios.contains { scenario in
      scenario.id == entry.scenario
        && scenario.endings.contains { $0.name == entry.ending && $0.expects.isRecorded }
    }
  }
}
