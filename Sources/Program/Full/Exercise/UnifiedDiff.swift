/// The changes of a text, as `diff -u` writes them.
enum UnifiedDiff {
  /// The text with its changes.
  ///
  /// - Throws: ``UnifiedDiffError`` where the text is not the one that was compared.
  static func apply(_ diff: String, to text: String) throws(UnifiedDiffError) -> String {
    let old = text.split(separator: "\n", omittingEmptySubsequences: false)
    var (new, place): ([Substring], Int) = ([], 0)
    for line in diff.split(separator: "\n").drop(while: { !$0.hasPrefix("@@ ") }) {
      let error = UnifiedDiffError(line: String(line))
      if line.hasPrefix("@@ -") {
        let start = (Int(line.dropFirst(4).prefix(while: \.isNumber)) ?? 0) - 1
        guard (place..<old.count).contains(start) else { throw error }
        new += old[place..<start]
        place = start
      } else if line.hasPrefix("+") {
        new.append(line.dropFirst())
      } else {
        guard place < old.count, old[place] == line.dropFirst() else { throw error }
        if line.hasPrefix(" ") { new.append(old[place]) }
        place += 1
      }
    }
    return (new + old[place...]).joined(separator: "\n")
  }
}

/// A line of a diff that does not fit the text.
struct UnifiedDiffError: Error, CustomStringConvertible {
  /// The line of the diff.
  let line: String

  var description: String {
    "The line '\(line)' of a solution's changes does not fit the exercise as shipped. "
      + "Put both back with 'git checkout Sources/Course'."
  }
}
