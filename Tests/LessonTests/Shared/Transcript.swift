/// A block of commands, each after `$ `, and what each of them has printed.
struct Transcript: Equatable {
  /// One command and its output.
  struct Entry: Equatable {
    /// The text after `$ `.
    var command: String
    /// The lines up to the next command.
    var output: [String]
    /// The index of the command's line in the block.
    var line: Int
  }

  /// The commands, in order.
  var entries: [Entry] = []
  /// Whether there are lines before the first command, which nothing has printed.
  var startsWithOutput = false

  /// Reads the lines of a block.
  init(_ lines: [String]) {
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("$ ") {
        entries.append(Entry(command: String(line.dropFirst(2)), output: [], line: index))
      } else if entries.isEmpty {
        startsWithOutput = true
      } else {
        entries[entries.count - 1].output.append(line)
      }
    }
  }
}
