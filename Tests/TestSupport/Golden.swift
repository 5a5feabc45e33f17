import Foundation

/// Texts kept in `Tests/<Target>/Golden` that a test compares with.
package enum Golden {
  /// Compares a text with the one that is kept; with `MEMLAB_RECORD=1`, rewrites the one kept.
  ///
  /// - Parameters:
  ///   - name: The file's name without `.txt`; it may have folders.
  ///   - actual: The text of now.
  ///   - test: The file of the test, which decides the folder.
  /// - Throws: `GoldenFailure` if the texts differ, and if the file was rewritten.
  package static func check(_ name: String, _ actual: String, test: String = #filePath) throws {
    try check(actual, file: file(name, of: test), isRecording: Recording.isOn)
  }

  /// Compares a text with a file's, or rewrites the file.
  ///
  /// - Parameters:
  ///   - actual: The text of now.
  ///   - file: The path of the file; it and its folder need not exist when recording.
  ///   - isRecording: Whether to rewrite a file that differs.
  /// - Throws: `GoldenFailure` if the texts differ, and if the file was rewritten.
  package static func check(_ actual: String, file: String, isRecording: Bool) throws {
    let url = URL(fileURLWithPath: file)
    let kept = try? String(contentsOf: url, encoding: .utf8)
    if let kept,
      kept == actual || OtherSwift.agrees(actual.newlineSeparated, with: kept.newlineSeparated)
    {
      return
    }
    if isRecording {
      try Scratch.write(actual, to: url)
      throw GoldenFailure(description: "rewrote \(shown(file)); \(Recording.again)")
    }
    guard let kept else {
      throw GoldenFailure(description: "\(shown(file)) is missing; \(Recording.remedy)")
    }
    let difference = LineDiff.text(from: kept.newlineSeparated, to: actual.newlineSeparated)
    throw GoldenFailure(
      description: "\(shown(file)) is out of date; \(Recording.remedy)\n\(difference)")
  }

  /// The file for a name, in the folder of the test target that the test's file belongs to.
  static func file(_ name: String, of test: String) -> String {
    var folder = URL(fileURLWithPath: test).deletingLastPathComponent()
    while folder.deletingLastPathComponent().lastPathComponent != "Tests" {
      precondition(folder.path != "/", "\(test) is not below Tests")
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "Golden/\(name).txt").path
  }

  private static func shown(_ file: String) -> String {
    let root = Repository.root.path + "/"
    return file.hasPrefix(root) ? String(file.dropFirst(root.count)) : file
  }
}

/// A kept text that differs from the text of now, or that was rewritten.
package struct GoldenFailure: Error, CustomStringConvertible {
  /// The file, what to do, and the lines that differ.
  package let description: String
}
